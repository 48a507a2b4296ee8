// The worker that is a room: the tools' loaders meet the room's code here.
import { loaders, readers } from "../tools/mod.ts";
import { type RoomScope, serveRoom } from "./room.ts";

serveRoom({ ...loaders, ...readers }, self as unknown as RoomScope);
