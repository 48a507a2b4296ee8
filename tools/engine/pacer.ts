/** Tells a long loop when to give the event loop time, so that a cancel message can arrive. */
export interface Pacer {
  /** Says whether it is time to rest. */
  due(): boolean;
  /** Gives waiting events time to run. Throws the signal's reason if it aborted. */
  rest(): Promise<void>;
}

/** A rest costs one or two milliseconds; a cancelled call has 250 to end. */
const STRETCH_MS = 100;

/** Makes a pacer that is due every 100 ms. Throws the signal's reason if it aborted already. */
export function createPacer(signal: AbortSignal): Pacer {
  signal.throwIfAborted();
  let next = Date.now() + STRETCH_MS;
  return {
    due: () => Date.now() >= next,
    async rest() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
      next = Date.now() + STRETCH_MS;
    },
  };
}
