import { join, resolve } from "@std/path";

/** The files that a program touched, absolute, in the order of their names. */
export interface TouchedFiles {
  read: readonly string[];
  written: readonly string[];
  /** Whether they are there, or what they are, was looked at. */
  looked: readonly string[];
  /** Addresses that it tried to connect to by itself, past any proxy: `192.0.2.1:443`. */
  direct: readonly string[];
}

/** The words that watch a program and write what it does into files of a folder, one for each process. */
export function traceWords(strace: string, folder: string): string[] {
  return [
    ...[strace, "-ff", "-y", "-ttt", "-s", "4096", "--seccomp-bpf"],
    ...["-e", "trace=%file,connect", "-e", "signal=none", "-o", join(folder, "trace"), "--"],
  ];
}

const LINE = /^(\d+\.\d+) (\w+)\((.*)\)\s+= (-?\d+)/;
const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const BESIDE = new RegExp(String.raw`(?:AT_FDCWD|\d+)<([^>]*)>, ${STRING}`, "g");
const PLAIN = new RegExp(STRING);
const WRITES = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/;
const CHANGING =
  /^(?:mkdir|rmdir|unlink|rename|link|symlink|chmod|fchmod|chown|fchown|truncate|utime|mknod|creat)/;
const READING = /^(?:open|openat|openat2|execve|execveat)$/;
const ADDRESS = /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/;

/**
 * Reads what strace wrote, from the start of the program on: what makes its sandbox comes before it.
 *
 * @param program The last part of the program's path
 */
export function readCalls(texts: readonly string[], program: string): TouchedFiles {
  const calls = texts.flatMap((text) =>
    text.split("\n").map((line) => LINE.exec(line)).filter((found) => found !== null)
  );
  const starts = calls.filter(([, , name, args, result]) =>
    name === "execve" && result === "0" && pathOf(args!)?.split("/").at(-1) === program
  );
  const from = Math.min(...starts.map(([, time]) => Number(time)));
  const read = new Set<string>();
  const written = new Set<string>();
  const looked = new Set<string>();
  const direct = new Set<string>();
  for (const [, time, name = "", args = "", result] of calls) {
    if (Number(time) < from) continue;
    if (name === "connect") {
      const [, port, four, six] = ADDRESS.exec(args) ?? [];
      if (port !== undefined) direct.add(four === undefined ? `[${six}]:${port}` : `${four}:${port}`);
    }
    if (Number(result) < 0) continue;
    const changes = CHANGING.test(name) || READING.test(name) && WRITES.test(args);
    const touched = changes ? written : READING.test(name) ? read : looked;
    for (const path of pathsOf(args)) touched.add(path);
  }
  const sorted = (paths: Set<string>) => [...paths].sort();
  return {
    read: sorted(read),
    written: sorted(written),
    looked: sorted(looked),
    direct: sorted(direct),
  };
}

function pathsOf(args: string): string[] {
  const beside = [...args.matchAll(BESIDE)].map(([, folder = "", path = ""]) =>
    resolve(folder, unquoted(path))
  );
  const plain = beside.length > 0 ? null : pathOf(args);
  return [...beside, ...plain === null ? [] : [plain]].filter((path) => path.startsWith("/"));
}

function pathOf(args: string): string | null {
  const found = PLAIN.exec(args)?.[1];
  return found === undefined ? null : unquoted(found);
}

/** Undoes how strace writes bytes. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const pattern = /\\([0-7]{1,3}|.)|[^\\]+/gs;
  for (const [whole, escaped] of text.matchAll(pattern)) {
    if (escaped === undefined) bytes.push(...new TextEncoder().encode(whole));
    else if (/^[0-7]/.test(escaped)) bytes.push(parseInt(escaped, 8));
    else {bytes.push(
        ({ n: 10, t: 9, r: 13, v: 11, f: 12 } as Record<string, number>)[escaped] ?? escaped.charCodeAt(0),
      );}
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
