import { Semaphore } from "../wait/semaphore.ts";

/** What the scheduler must know of a call. */
export interface Schedulable {
  /** May run beside its neighbours. */
  parallel: boolean;
  /** Tool that the `concurrency` counts for. */
  toolName: string;
  /** Most calls of this tool at once; `null` for no bound of its own. */
  concurrency: number | null;
}

/** Options of {@linkcode schedule}. */
export interface ScheduleOptions<Call, Result> {
  /** Runs one call; must not reject. */
  run(call: Call): Promise<Result>;
  /** Most calls at once. */
  maxParallel: number;
}

/** How many results of a block may wait for an earlier one, as a multiple of `maxParallel`. */
const WINDOW = 8;

/**
 * Runs calls in blocks: adjacent parallel calls run at once, any other call alone, and a block ends before the next
 * begins. Results come out in the order of the calls, each as soon as it and all before it are there. Calls are taken
 * from the source no faster than results are taken from the outcome.
 */
export async function* schedule<Call extends Schedulable, Result>(
  calls: AsyncIterable<Call>,
  options: ScheduleOptions<Call, Result>,
): AsyncGenerator<Result> {
  const { run, maxParallel } = options;
  const slots = new Semaphore(maxParallel);
  const perTool = new Map<string, Semaphore>();
  const bounded = (call: Call): Promise<Result> => {
    if (call.concurrency === null) return slots.use(() => run(call));
    let tool = perTool.get(call.toolName);
    if (!tool) perTool.set(call.toolName, tool = new Semaphore(call.concurrency));
    return tool.use(() => slots.use(() => run(call)));
  };
  const running: Promise<Result>[] = [];
  const source = calls[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (;;) {
      const first = running[0];
      const full = running.length >= maxParallel * WINDOW;
      if (first && (full || await isFirst(first, next))) {
        yield await first;
        running.shift();
        continue;
      }
      const { done, value: call } = await next;
      if (done || !call.parallel) {
        while (running.length > 0) yield await running.shift()!;
      }
      if (done) return;
      if (call.parallel) running.push(bounded(call));
      else yield await bounded(call);
      next = source.next();
    }
  } finally {
    // Not awaited: a source that waits for input would keep the caller from leaving.
    source.return?.()?.catch(() => {});
  }
}

/** Says whether `a` settles no later than `b`. */
async function isFirst(a: Promise<unknown>, b: Promise<unknown>): Promise<boolean> {
  return await Promise.race([a.then(() => true), b.then(() => false, () => false)]);
}

/** Groups calls into the blocks in which they run: adjacent parallel calls together, any other call alone. */
export function planBlocks<Call extends { parallel: boolean }>(calls: readonly Call[]): Call[][] {
  const blocks: Call[][] = [];
  for (const call of calls) {
    const last = blocks.at(-1);
    if (call.parallel && last?.[0]?.parallel) last.push(call);
    else blocks.push([call]);
  }
  return blocks;
}
