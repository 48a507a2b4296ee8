import { orAborted } from "./or_aborted.ts";

/** Passes items on until the signal aborts, also while the next one is awaited. */
export async function* takeUntil<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await orAborted(source.next(), signal);
    if (next === null || next.done) return;
    yield next.value;
  }
}
