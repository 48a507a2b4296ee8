import { dirname, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { type PlainFile, readPlainFile } from "../../state/plain_file.ts";
import type { ReadRecord } from "../../state/undo/read_record.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { isInside } from "../../walls/grants/inside.ts";

/**
 * Reads a file of a workspace that a run made or changed, as it is now. Needs `read`.
 *
 * @param path Relative to the workspace
 * @throws {ToolError} `not_found` for all other files, and where a link stands on the way; `limit_exceeded`
 */
export async function readChanged(
  path: string,
  { records, workspace }: { records: readonly ReadRecord[]; workspace: string },
  bounds: { maxBytes: number },
): Promise<PlainFile> {
  const at = join(workspace, path);
  const known = records.map(({ paths }) => paths.get(at));
  const isChanged = known.some((one) => one?.after !== undefined || one?.until !== undefined);
  const isThere = isChanged && isInside(workspace, at) && realOrNull(dirname(at)) === dirname(at);
  const file = isThere ? await readPlainFile(at, bounds) : null;
  if (file !== null) return file;
  throw new ToolError(
    "not_found",
    `The run has changed no file ${JSON.stringify(path.slice(0, 200))} that is there`,
  );
}
