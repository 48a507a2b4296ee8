/** A process as /proc shows it. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  /** One letter, `Z` for one that has ended and was not waited for. */
  state: string;
  /** Processor time used so far, in clock ticks of 10 ms. */
  ticks: number;
}

/** Returns the processes below a process, at any depth; those whose parent has ended are not found. */
export function descendants(pid: number): ProcessInfo[] {
  const all = [...Deno.readDirSync("/proc")]
    .filter(({ name }) => /^\d+$/.test(name))
    .map(({ name }) => processInfo(Number(name)))
    .filter((info) => info !== null);
  const found: ProcessInfo[] = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map(({ pid }) => pid));
  }
  return found;
}

/** Returns what is known of a process, `null` if there is none of that number. */
export function processInfo(pid: number): ProcessInfo | null {
  let stat: string;
  try {
    stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  } catch {
    return null;
  }
  // The name in parentheses may hold anything.
  const [state = "", parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, parent: Number(parent), state, ticks: Number(rest[9]) + Number(rest[10]) };
}

/** Says whether a process runs; one that waits for its parent to take notice of its end does not. */
export function isAlive(pid: number): boolean {
  const info = processInfo(pid);
  return info !== null && info.state !== "Z" && info.state !== "X";
}

/** Waits until something outside is so; fails if it is not in time. */
export async function until(what: string, condition: () => boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a process below `pid` computes hard: has used half a second of processor time. */
export async function untilBusy(pid: number): Promise<ProcessInfo> {
  let busy: ProcessInfo | undefined;
  await until(
    "a busy process",
    () => (busy = descendants(pid).find(({ ticks }) => ticks > 50)) !== undefined,
    20_000,
  );
  return busy!;
}
