/** Waits for some work, but no longer than until the signal aborts: then `null`, and the work goes on unheard. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const onAbort = () => resolve(null);
  if (signal.aborted) onAbort();
  // Listened to for this wait alone: a promise that lasts as long as the signal would keep every result.
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
