import { settlesWithin } from "./settles_within.ts";

/**
 * Waits for the work of a call, but only as long as the call goes on. Throws the signal's reason then, once the work has settled
 * or was ended.
 *
 * @param options Work that does not settle within `endingMs` milliseconds after the signal is ended by `end`
 */
export async function untilAborted<T>(
  work: Promise<T>,
  { signal, endingMs, end }: { signal: AbortSignal; endingMs: number; end: () => Promise<void> },
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (error) {
    const settled = work.then(() => {}, () => {});
    if (signal.aborted && !await settlesWithin(settled, endingMs)) await end();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
