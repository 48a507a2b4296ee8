/** What the scheduler must know of a call. */
export interface Schedulable {
  /** May run beside its neighbours. */
  parallel: boolean;
}

/** Options of {@linkcode schedule}. */
export interface ScheduleOptions<Call, Result> {
  /** Runs one call; must not reject. */
  run(call: Call): Promise<Result>;
  /** Most calls that run at once; how many wait for them follows from it. */
  maxParallel: number;
}

/** Most calls that have begun or wait, and results that wait for an earlier one, as a multiple of `maxParallel`. */
const WINDOW = 8;

/**
 * Makes the calls of one caller in blocks: adjacent parallel calls at once, any other call alone, and the results of a
 * block are taken before the next begins. Results come out in the order of the calls, each as soon as it and all before
 * it are there. Calls are taken from the source no faster than results are taken from the outcome. How many calls run
 * at once, and which wait, the host's line decides for all callers.
 */
export async function* schedule<Call extends Schedulable, Result>(
  calls: AsyncIterable<Call>,
  options: ScheduleOptions<Call, Result>,
): AsyncGenerator<Result> {
  const { run, maxParallel } = options;
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
      if (call.parallel) running.push(run(call));
      else yield await run(call);
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
