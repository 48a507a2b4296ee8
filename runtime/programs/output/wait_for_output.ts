import type { SessionRead } from "../../../schemas/program.ts";

/** Output that can be waited for. */
export interface OutputSource {
  /** There is unread output. */
  readonly hasUnread: boolean;
  /** Nothing more comes. */
  readonly hasEnded: boolean;
  /** Calls back when output or the end came. Returns a function that stops this. */
  onChange(listener: () => void): () => void;
}

/** Options of {@linkcode waitForOutput}. */
export interface WaitOptions extends Pick<SessionRead, "waitMs" | "quietMs"> {
  /** Says whether the awaited text has come. */
  isFound: () => boolean;
  signal: AbortSignal;
}

/** Waits until enough has come, the output pauses or ends, the time is up, or the call is cancelled. */
export async function waitForOutput(source: OutputSource, options: WaitOptions): Promise<void> {
  const { waitMs, quietMs, isFound, signal } = options;
  if (isFound() || source.hasEnded || signal.aborted || waitMs <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const longest = setTimeout(resolve, waitMs);
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const expectQuiet = () => {
    if (quietMs === undefined || !source.hasUnread) return;
    clearTimeout(quiet);
    quiet = setTimeout(resolve, quietMs);
  };
  const stopListening = source.onChange(() => {
    if (isFound() || source.hasEnded) resolve();
    else expectQuiet();
  });
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort);
  expectQuiet();
  await promise;
  clearTimeout(longest);
  clearTimeout(quiet);
  stopListening();
  signal.removeEventListener("abort", onAbort);
}
