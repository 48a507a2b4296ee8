// A helper thread of a room: same walls, and one port over which the room's engine gives it work.
import { threadLoader } from "../tools/mod.ts";

self.addEventListener("message", async (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) (await threadLoader())(port);
});

// The room is not ready before its threads are.
(self as unknown as { postMessage(message: null): void }).postMessage(null);
