import { isAbsolute } from "@std/path";

import type { IgnoreLists } from "../../../schemas/context.ts";
import type { Scope } from "../../../schemas/grants.ts";
import { covers } from "../../walls/grants/path_access.ts";
import type { Answers } from "../answer_ask.ts";

/** Finds git's lists of ignored files for searches in folders that calls may read. */
export interface IgnoreParts {
  find(top: string): Promise<IgnoreLists>;
  read: Scope;
}

/** Tells rooms what git ignores in the folders that calls may read. */
export function ignoreAnswers({ find, read }: IgnoreParts): Answers {
  return {
    async "ignore.lists"({ top }) {
      if (!isAbsolute(top) || !covers(read, top)) throw new Error("a room asked about what it must not read");
      return await find(top);
    },
  };
}
