/** The word of a worker that is loaded. */
export const LOADED = "loaded";

/** Tells the thread that started this worker that all of it is loaded: the last line of each entry. */
export function sayLoaded(): void {
  (self as unknown as { postMessage(message: typeof LOADED): void }).postMessage(LOADED);
}
