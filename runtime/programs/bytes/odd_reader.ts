import { findProgram } from "../../walls/files/find_program.ts";
import { bytesOfPath, pathOfBytes } from "./odd_names.ts";
import { shellQuote } from "../../text/shell_quote.ts";

/** An entry that is known by the bytes of its name. */
export interface OddEntry {
  /** As `bytes/odd_names.ts` writes bytes that are no UTF-8. */
  name: string;
  /** Of the entry itself: links are not followed. */
  info: Deno.FileInfo;
  /** What a link holds, `""` for what is no link. */
  link: string;
}

/** An entry below a folder. */
export interface DeepEntry extends OddEntry {
  /** 0 for the folder itself. */
  depth: number;
  /** Whether this user can list a folder, or at least reach what is in it by name. */
  access: "list" | "enter" | "none";
}

/** Lists folders by bytes, with `find` of the system: Deno gives names only as texts. */
export interface OddReader {
  /**
   * Returns the entries of folders whose names are no UTF-8, by folder; `null` if there is no `find`.
   *
   * @param folders Absolute paths
   * @param options `deep`: also of all folders below. @default false
   */
  namesIn(
    folders: readonly string[],
    options?: { deep?: boolean },
  ): Promise<ReadonlyMap<string, readonly OddEntry[]> | null>;
  /**
   * Tells all entries below folders, each folder before what is in it. Resolves to `false` if there is no `find`.
   *
   * @param folders Absolute paths of at most 4,096 bytes
   * @param meet Returns `false` to end it
   */
  below(folders: readonly string[], meet: (entry: DeepEntry) => boolean): Promise<boolean>;
}

/** Short enough for the words of one program. */
const MAX_WORDS = 100_000;
/** Depth, type, mode, owner, device, number, links, size and times. */
const FACTS = "%d %y %m %U %D %i %n %s %T@ %C@ ";
const FIELDS = FACTS.split(" ").length;
/** Whether this user can list a folder (`r`), can only reach what is in it (`x`), or neither (`n`). */
const BELOW = [
  ...["(", "!", "-type", "d", "-o", "-readable", "-executable", ")", "-printf", `r ${FACTS}\\0%f\\0%l\\0`],
  ...["-o", "-executable", "-printf", `x ${FACTS}\\0%f\\0%l\\0`, "-o", "-printf", `n ${FACTS}\\0%f\\0%l\\0`],
];
/** Of names that are not plain. */
const NAMES = ["-name", "*[! -~]*", "-printf", `r ${FACTS}%h\\0%f\\0%l\\0`];

/** Makes a reader. Nothing starts before it is needed. Needs `run`. */
export function makeOddReader(searchPath: string): OddReader {
  const tools = once(() => {
    const [find, xargs, sh] = ["find", "xargs", "sh"].map((name) =>
      findProgram(name, `/usr/bin:/bin:${searchPath}`)
    );
    return find && xargs && sh ? { find, xargs, sh } : null;
  });
  const list = async (tests: readonly string[], folders: readonly string[], meet: Meet): Promise<boolean> => {
    const found = tools();
    if (found === null) return false;
    const { find, xargs, sh } = found;
    const words = folders.reduce((sum, path) => sum + 3 * path.length, 0);
    // A single start is enough for a few names that Deno can pass on.
    const isPlain = words < MAX_WORDS && folders.every((path) => path.isWellFormed());
    const script = `exec "$0" "$@" ${tests.map(shellQuote).join(" ")}`;
    await run(
      isPlain ? [find, ...folders, ...tests] : [xargs, "-0", "-r", "-n", "1000", sh, "-c", script, find],
      isPlain ? null : folders,
      meet,
    );
    return true;
  };
  return {
    async namesIn(folders, { deep = false } = {}) {
      const found = new Map<string, OddEntry[]>();
      const meet: Meet = ({ rest, info }, name, link) => {
        const folder = rest === "" ? "/" : rest;
        if (name.isWellFormed()) return true;
        const entries = found.get(folder) ?? [];
        entries.push({ name, info, link });
        found.set(folder, entries);
        return true;
      };
      const depth = ["-mindepth", "1", ...(deep ? [] : ["-maxdepth", "1"])];
      return await list([...depth, ...NAMES], folders, meet) ? found : null;
    },
    below: (folders, meet) =>
      list(
        BELOW,
        folders,
        ({ depth, access, info }, name, link) => meet({ name, depth, access, info, link }),
      ),
  };
}

/** The facts before a name. */
interface Header {
  depth: number;
  access: DeepEntry["access"];
  info: Deno.FileInfo;
  rest: string;
}

type Meet = (header: Header, name: string, link: string) => boolean;

async function run(
  [program, ...args]: readonly string[],
  input: readonly string[] | null,
  meet: Meet,
): Promise<void> {
  const child = new Deno.Command(program!, {
    args,
    cwd: "/",
    clearEnv: true,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    stdin: input === null ? "null" : "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const fed = input === null ? Promise.resolve() : feed(child.stdin, input);
  let texts: string[] = [];
  let isEnded = false;
  for await (const bytes of untilZero(child.stdout)) {
    texts.push(pathOfBytes(bytes));
    if (texts.length < 3) continue;
    const [header, name, link] = texts as [string, string, string];
    texts = [];
    isEnded = !meet(headerOf(header), name, link);
    if (isEnded) break;
  }
  if (isEnded) child.kill("SIGKILL");
  await Promise.all([fed, child.status]);
}

async function feed(stdin: WritableStream<Uint8Array>, paths: readonly string[]): Promise<void> {
  const writer = stdin.getWriter();
  try {
    for (const path of paths) await writer.write(Uint8Array.of(...bytesOfPath(path), 0));
    await writer.close();
  } catch {
    // It ended before it read all: what it told holds.
  }
}

async function* untilZero(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array();
  for await (const chunk of stream) {
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    let from = 0;
    for (let at = bytes.indexOf(0, rest.length); at !== -1; at = bytes.indexOf(0, from)) {
      yield bytes.subarray(from, at);
      from = at + 1;
    }
    rest = bytes.slice(from);
  }
}

function headerOf(text: string): Header {
  const parts = text.split(" ");
  const [access, depth, type, mode, uid, dev, ino, nlink, size, modified, changed] = parts as string[];
  const isType = (letter: string) => type === letter;
  const time = (seconds: string | undefined) => new Date(Math.floor(Number(seconds) * 1_000));
  return {
    depth: Number(depth),
    access: access === "x" ? "enter" : access === "n" ? "none" : "list",
    rest: parts.slice(FIELDS).join(" "),
    info: {
      ...{ isFile: isType("f"), isDirectory: isType("d"), isSymlink: isType("l") },
      ...{
        isSocket: isType("s"),
        isFifo: isType("p"),
        isBlockDevice: isType("b"),
        isCharDevice: isType("c"),
      },
      ...{ mode: parseInt(mode!, 8), uid: Number(uid), gid: null, rdev: null, blksize: null, blocks: null },
      ...{ dev: Number(dev), ino: Number(ino), nlink: Number(nlink), size: Number(size) },
      ...{ mtime: time(modified), ctime: time(changed), atime: null, birthtime: null },
    },
  };
}

function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => (done ??= { result: work() }).result;
}
