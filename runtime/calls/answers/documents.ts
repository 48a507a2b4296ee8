import { readDocument } from "../../rooms/read_document.ts";
import type { RoomPool } from "../../rooms/room_pool.ts";
import type { Answers } from "../answer_ask.ts";

/** Passes bytes of documents to readers, for tools that declare that they read, run programs, or reach the network. */
export function documentAnswers(rooms: RoomPool): Answers {
  return {
    async "document.read"(ask, { tool, artifacts, onProgress, program: { warn, signal } }) {
      const { read, net, run } = tool.needs;
      if (read === undefined && net === undefined && run === undefined) {
        throw new Error(
          `a tool of ${tool.toolset} asked for a document without having declared that it needs read, run or net`,
        );
      }
      return await readDocument(ask, { rooms, artifacts, onProgress, warn, signal });
    },
  };
}
