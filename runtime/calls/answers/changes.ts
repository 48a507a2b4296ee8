import { isAbsolute } from "@std/path";

import type { Scope } from "../../../schemas/grants.ts";
import { covers } from "../../walls/grants/path_access.ts";
import type { Answers } from "../answer_ask.ts";

/** Keeps what is at a path, so that it can come back. */
export type KeepPath = (path: string) => Promise<void>;

/** Keeps what tools are about to change; `null`: nothing is kept. */
export function changeAnswers(keep: KeepPath | null, write: Scope): Answers {
  return {
    async "change.keep"({ path }, { kept }) {
      if (!isAbsolute(path) || !covers(write, path)) {
        if (keep === null) return;
        // Of anything else, nothing is copied for a room.
        throw new Error("a room would change what it must not write");
      }
      await keep?.(path);
      kept?.note(path);
    },
  };
}
