import { ToolError } from "../../../schemas/error.ts";
import { lstat } from "../../walls/files/file_facts.ts";

/** Absolute, so that a project's folder on the search path cannot replace it. */
const CP = ["/usr/bin/cp", "/bin/cp"];
const XARGS = "/usr/bin/xargs";
/** Of util-linux: ties a program's life to its parent's. */
const SETPRIV = "/usr/bin/setpriv";
/** GNU's cp shares the bytes where the disk can; others do not know the option. */
const SHARING = "--reflink=auto";

/** Time that a copy has at least, in milliseconds, and how much it must bring over in a second besides. */
const LEAST_MS = 30_000;
const LEAST_BYTES = 2 * 1024 * 1024;
const LEAST_ENTRIES = 200;
/** What a timer can hold, in milliseconds. */
const MOST_MS = 2 ** 31 - 1;

/** How much there is to copy: a file that becomes a pipe meanwhile must not hold up the copy for good. */
export interface CopySize {
  entries: number;
  /** Of their content. */
  bytes: number;
}

/** Options of {@linkcode copyEntry}. */
export interface CopyOptions {
  size: CopySize;
  /** The copy belongs to the owner of the original, if this user may give files away. @default false */
  keepsOwner?: boolean;
  /** Entries that cannot be read are left out of the copy, in the place of an error. @default false */
  lenient?: boolean;
  /** Words that start the copy where the originals are seen. @default they are seen here */
  through?: readonly string[];
  /** What is at the new place stays, and only what is missing there is copied. @default nothing may be there */
  fillsUp?: boolean;
}

/**
 * Copies an entry, a folder with all that is in it, as it is: modes, times, links, hard links, holes, pipes. The system's `cp` does it, because no function of Deno keeps times exactly or knows pipes. Needs `run`.
 *
 * @throws {ToolError} `unavailable` if it cannot be copied
 */
export async function copyEntry(from: string, to: string, options: CopyOptions): Promise<void> {
  const { size, keepsOwner = false, lenient = false, fillsUp = false } = options;
  const given = [...keepsOwner ? [] : ["--no-preserve=ownership"], ...fillsUp ? ["-n"] : []];
  const words = ["-a", SHARING, ...given, "-T", "--", from, to];
  const { success, stderr } = await endInTime(startCp(words), size);
  if (success) return;
  const said = new TextDecoder().decode(stderr).trim().split("\n")[0] ?? "";
  if (lenient && !/No space left|quota/i.test(said)) return;
  throw new ToolError("unavailable", `Cannot copy "${from}": ${said || "cp failed without a word"}`);
}

/**
 * Copies many entries, each to its own new place, as {@linkcode copyEntry} does one. Needs `run`.
 *
 * @throws {ToolError} `unavailable` if one cannot be copied
 */
export async function copyEntries(
  pairs: readonly (readonly [from: string, to: string])[],
  { size, keepsOwner = false, through = [] }: Pick<CopyOptions, "size" | "keepsOwner" | "through">,
): Promise<void> {
  const [first] = pairs;
  if (first === undefined) return;
  if (pairs.length === 1 && through.length === 0) return await copyEntry(...first, { size, keepsOwner });
  const given = keepsOwner ? [] : ["--no-preserve=ownership"];
  // To start a program from here costs more than the copy.
  const child = startWithUs(["-0", "-n", "2", "cp", "-a", SHARING, ...given, "-T", "--"], through);
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(pairs.flat().map((path) => `${path}\0`).join("")))
    .then(() => writer.close())
    // It ends early if it cannot begin.
    .catch(() => {});
  const { success, stderr } = await endInTime(child, size);
  await written;
  if (success) return;
  const said = new TextDecoder().decode(stderr).trim().split("\n")[0] ?? "";
  throw new ToolError(
    "unavailable",
    `Cannot copy ${pairs.length} files: ${said || "cp failed without a word"}`,
  );
}

/** If this process is killed, the copies must end too: the next one clears up at once. */
function startWithUs(args: readonly string[], through: readonly string[]): Deno.ChildProcess {
  const tied = lstat(SETPRIV) === null ? [] : [SETPRIV, "--pdeathsig", "KILL", "--"];
  const [program = XARGS, ...rest] = [...through, ...tied, XARGS, ...args];
  return new Deno.Command(program, {
    args: rest,
    clearEnv: true,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

function startCp(args: readonly string[]): Deno.ChildProcess {
  for (const cp of CP) {
    try {
      return new Deno.Command(cp, {
        args: [...args],
        clearEnv: true,
        env: { LC_ALL: "C" },
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new ToolError(
    "unavailable",
    `Cannot copy files: there is no ${CP.join(" and no ")}, install coreutils`,
  );
}

/** Ends a copy that takes far longer than it can. */
async function endInTime(
  child: Deno.ChildProcess,
  { entries, bytes }: CopySize,
): Promise<Pick<Deno.CommandOutput, "success" | "stderr">> {
  const ms = LEAST_MS + (entries / LEAST_ENTRIES + bytes / LEAST_BYTES) * 1_000;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end(child);
  }, Math.min(ms, MOST_MS));
  try {
    const { success, stderr } = await child.output();
    return isLate
      ? { success: false, stderr: new TextEncoder().encode("it does not end") }
      : { success, stderr };
  } finally {
    clearTimeout(timer);
  }
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended.
  }
}
