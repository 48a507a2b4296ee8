/** Waits for some work, but at most so many milliseconds. Says whether the work is done. */
export async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  try {
    return await Promise.race([work.then(() => true as const), promise]);
  } finally {
    clearTimeout(timer);
  }
}
