// The worker that is a room: the tools' loaders meet the room's code here.
import { loaders } from "../tools/mod.ts";
import { type RoomScope, serveRoom } from "./room.ts";

serveRoom(loaders, self as unknown as RoomScope);
