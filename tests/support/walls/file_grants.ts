import type { FileGrants } from "../../../schemas/grants.ts";

/** What a run is granted that may read and write its workspace. */
export function fileGrants(workspace: string, more: Partial<FileGrants> = {}): FileGrants {
  const nothing = { denyRead: [], denyWrite: [], secrets: [], writeNamed: [], aliases: [] };
  return { workspace, home: "", read: [workspace], write: [workspace], ...nothing, ...more };
}
