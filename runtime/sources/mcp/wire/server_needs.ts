import { join, resolve } from "@std/path";

import type { ProgramNeeds } from "../../../programs/narrow/program_needs.ts";
import type { McpGrants } from "../config/mcp_server.ts";

/** Where a server stands. */
export interface NeedsPlaces {
  /** Real path of the workspace: relative paths start there. */
  workspace: string;
  /** The user's home, for `~/`; `""` if there is none. */
  home: string;
}

/** Returns what the entry of a server permits, with absolute paths. */
export function serverNeeds(grants: McpGrants | null, { workspace, home }: NeedsPlaces): ProgramNeeds {
  const path = (text: string) =>
    text === "~" || text.startsWith("~/") ? join(home, text.slice(1)) : resolve(workspace, text);
  const paths = (scope: true | readonly string[]) => scope === true ? true : scope.map(path);
  const { read = [], write = [], net = [], env = [] } = grants ?? {};
  return { read: paths(read), write: paths(write), net, env };
}
