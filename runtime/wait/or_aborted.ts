/** Waits for some work, but only until the signal aborts: then returns `null` and ignores the result. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const onAbort = () => resolve(null);
  if (signal.aborted) onAbort();
  // The listener is for this wait alone: a promise that lives as long as the signal would keep every result.
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
