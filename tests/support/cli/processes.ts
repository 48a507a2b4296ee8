/** Longest pause between two looks of {@linkcode until}, in milliseconds. */
const MAX_PAUSE_MS = 50;

/** A process as /proc shows it. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  /** One letter, `Z` for one that has ended and was not waited for. */
  state: string;
  /** Processor time used so far, in clock ticks of 10 ms. */
  ticks: number;
}

/** Lists all processes; by a shell, because Deno itself opens /proc under `-A` only. */
export function listProcesses(): ProcessInfo[] {
  const { stdout } = new Deno.Command("/bin/sh", {
    args: ["-c", "cat /proc/[0-9]*/stat 2>/dev/null"],
    stderr: "null",
  }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "").map(parseStat);
}

function parseStat(stat: string): ProcessInfo {
  // The name in parentheses may hold anything.
  const [state = "", parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid: parseInt(stat), parent: Number(parent), state, ticks: Number(rest[9]) + Number(rest[10]) };
}

/** Returns the processes below a process, at any depth; those whose parent has ended are not found. */
export function descendants(pid: number): ProcessInfo[] {
  const all = listProcesses();
  const found: ProcessInfo[] = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map(({ pid }) => pid));
  }
  return found;
}

/** Returns the processes below a process whose command line holds a text. */
export function descendantsNaming(pid: number, text: string): number[] {
  return naming(descendants(pid).map(({ pid }) => pid), ["-F", "-e", text]);
}

/** Those of some processes in whose command line grep finds something. */
function naming(pids: readonly number[], words: readonly string[]): number[] {
  if (pids.length === 0) return [];
  const files = pids.map((pid) => `/proc/${pid}/cmdline`);
  const { stdout } = new Deno.Command("grep", { args: ["-l", ...words, ...files], stderr: "null" })
    .outputSync();
  return [...new TextDecoder().decode(stdout).matchAll(/\d+/g)].map(Number);
}

/** Says whether a process runs; one that waits for its parent to take notice of its end does not. */
export function isAlive(pid: number): boolean {
  return listProcesses().some((info) => info.pid === pid && info.state !== "Z" && info.state !== "X");
}

/**
 * Waits until something outside is so; fails if it is not in time.
 *
 * @param maxPauseMs Longest pause between two looks; what lasts for a moment only is looked for without
 */
export async function until(
  what: string,
  condition: () => boolean,
  timeoutMs = 60_000,
  maxPauseMs = MAX_PAUSE_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const looked = performance.now();
    if (condition()) return;
    const now = performance.now();
    if (now > deadline) throw new Error(`not in ${timeoutMs} ms: ${what}`);
    // A look that starts programs of its own must not keep the machine from what it looks for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(maxPauseMs, 3 * (now - looked))));
  }
}

/** Waits until a process below `pid` computes hard: has used a second of processor time, more than any start. */
export async function untilBusy(pid: number): Promise<ProcessInfo> {
  let busy: ProcessInfo | undefined;
  const look = () => (busy = descendants(pid).find(({ ticks }) => ticks > 100)) !== undefined;
  await until("a busy process", look);
  return busy!;
}

/** Input that has been written only when its program has begun to read it: then it waits for the rest. */
export const MORE_THAN_A_PIPE = " ".repeat(1_200_000);

/** The process below this one that counts the processes of programs. */
export function ownCounter(): number {
  const [pid] = naming(descendants(Deno.pid).map(({ pid }) => pid), ["-zx", "-e", "bulkhead-count"]);
  if (pid === undefined) throw new Error("Nobody counts here");
  return pid;
}

/** A mark in the environment of processes, by which they are found wherever they went: `const mark = makeMark()`. */
export function makeMark(): { word: string; env: Record<string, string>; pids(): number[] } {
  const [name, value] = ["BULKHEAD_TEST_MARK", crypto.randomUUID()];
  const word = `${name}=${value}`;
  return {
    word,
    env: { [name]: value },
    pids() {
      const { stdout } = new Deno.Command("/bin/sh", {
        args: ["-c", `grep -lzxF ${word} /proc/[0-9]*/environ 2>/dev/null`],
        stderr: "null",
      }).outputSync();
      return [...new TextDecoder().decode(stdout).matchAll(/\d+/g)].map(Number);
    },
  };
}
