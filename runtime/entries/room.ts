// The worker that is a room: the tools' loaders meet the room's code here.
import { loaders, readers } from "../../tools/mod.ts";
import type { RoomScope } from "../rooms/inside/room_voice.ts";
import { serveRoom } from "../rooms/inside/serve_room.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

/** What the machine itself has done in rooms. */
const own = {
  "module/build": () => import("../sources/build/build_module.ts"),
  "module/describe": () => import("../rooms/inside/describe_module.ts"),
};

// A tool may change what it sees of `Deno`.
const write = Deno.stdout.writeSync.bind(Deno.stdout);

serveRoom({ ...loaders, ...readers, ...own }, self as unknown as RoomScope, (bytes) => {
  for (let at = 0; at < bytes.length;) at += write(bytes.subarray(at));
});

sayLoaded();
