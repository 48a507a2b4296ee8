// The worker that is a room: the tools' loaders meet the room's code here.
import { loaders, readers } from "../../tools/mod.ts";
import { type RoomScope, serveRoom } from "../rooms/inside/serve_room.ts";

serveRoom({ ...loaders, ...readers }, self as unknown as RoomScope);
