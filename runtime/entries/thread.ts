// A helper thread of a room: same walls, and one port over which the room's engine gives it work.
import { threadServices } from "../../tools/mod.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

self.addEventListener("message", async (event) => {
  const { data: service, ports: [port] } = event as MessageEvent<string>;
  if (port) (await threadServices[service]!())(port);
});

// The room is not ready before its threads are.
(self as unknown as { postMessage(message: null): void }).postMessage(null);

sayLoaded();
