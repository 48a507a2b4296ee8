import type { Io } from "./io.ts";

/** The variable that tells a run that it is a turn of a chat: `new`, or `same` if the one before had the same options. */
export const IN_CHAT = "BULKHEAD_IN_CHAT";

/** How often a turn looks for its chat, in milliseconds. */
const LOOK_MS = 500;

/**
 * Has a turn of a chat end with its chat. A chat that was killed can end nothing itself, and its turn would keep the session
 * from whoever goes on with it.
 *
 * @returns The same for a run that is no turn
 */
export function endWithChat(io: Io): Io {
  if (io.env(IN_CHAT) === undefined) return io;
  const gone = new AbortController();
  const chat = Deno.ppid;
  const timer = setInterval(() => {
    if (Deno.ppid === chat) return;
    clearInterval(timer);
    gone.abort("SIGHUP" satisfies Deno.Signal);
  }, LOOK_MS);
  Deno.unrefTimer(timer);
  return { ...io, interrupt: AbortSignal.any([io.interrupt, gone.signal]) };
}
