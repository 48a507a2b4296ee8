import { join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { type PlainFile, readPlainFile } from "../../state/plain_file.ts";
import { keptPath } from "../../state/undo/plan_undo.ts";
import type { ReadRecord } from "../../state/undo/read_record.ts";
import { withoutLogins } from "../../walls/files/logins.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { isInside } from "../../walls/grants/inside.ts";

/** A run's changes, and what of them is read. */
export interface ChangedPlace {
  /** The newest first. */
  records: readonly ReadRecord[];
  workspace: string;
  /** As it was before the run, or as it is now. */
  side: "before" | "after";
  /** Says what of the workspace may be shown. */
  mayRead(path: string): boolean;
}

/**
 * Reads a file of a workspace that a run made or changed. Needs `read`.
 *
 * @param path Relative to the workspace
 * @throws {ToolError} `permission_denied` for what may not be shown and for secrets, `not_found` for all other files, and where a link stands on the way; `limit_exceeded`
 */
export async function readChanged(
  path: string,
  { records, workspace, side, mayRead }: ChangedPlace,
  bounds: { maxBytes: number },
): Promise<PlainFile> {
  const at = join(workspace, path);
  const isChanged = records.some(({ paths }) => {
    const known = paths.get(at);
    return known?.after !== undefined || known?.until !== undefined;
  });
  const place = side === "after" ? at : isChanged ? placeBefore(at, records) : null;
  const isThere = isChanged && place !== null && isInside(workspace, at);
  if (isThere && !mayRead(at)) {
    throw new ToolError(
      "permission_denied",
      `Cannot show ${JSON.stringify(path.slice(0, 200))}: this server may not read it`,
    );
  }
  if (isThere && (isSecret(at, workspace) || withoutLogins(place) !== null)) {
    throw new ToolError(
      "permission_denied",
      `Cannot give ${
        JSON.stringify(path.slice(0, 200))
      }: it is a file of secrets, by its name or by what it holds`,
    );
  }
  const file = isThere ? await readPlainFile(place, bounds) : null;
  if (file !== null) return file;
  throw new ToolError(
    "not_found",
    `The run has changed no file ${JSON.stringify(path.slice(0, 200))} that ${
      side === "after" ? "is there" : "was there before"
    }`,
  );
}

/** Where the content that a file had before a run is kept: the oldest record that knows the file tells. */
function placeBefore(at: string, records: readonly ReadRecord[]): string | null {
  const oldest = records.findLast(({ paths }) => paths.has(at));
  return oldest?.paths.get(at)?.before?.kind === "file" ? keptPath(oldest, at) : null;
}
