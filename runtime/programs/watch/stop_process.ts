import { settlesWithin } from "../../wait/settles_within.ts";

/** The exit code of a process that SIGKILL ended. */
export const KILLED = 137;

/** After this time, in milliseconds, the host stops waiting for a process that SIGKILL did not end. */
const GIVE_UP_MS = 1_000;

/** How a running process is ended. */
export interface ProcessStop {
  /** How long it has to end by itself after the request, in milliseconds. With 0 it is not asked. */
  graceMs: number;
  /** Asks it to end. */
  request(): Promise<void>;
  kill(): void;
}

/**
 * Ends a process: asks first if there is a grace time, then kills.
 *
 * @param exit Its exit code. One that even the kill does not end counts as killed
 */
export async function stopProcess(
  exit: PromiseWithResolvers<number>,
  { graceMs, request, kill }: ProcessStop,
): Promise<void> {
  if (graceMs > 0) {
    const requested = request();
    const ended = await settlesWithin(exit.promise, graceMs);
    await requested;
    if (ended) return;
  }
  kill();
  if (!await settlesWithin(exit.promise, GIVE_UP_MS)) exit.resolve(KILLED);
}
