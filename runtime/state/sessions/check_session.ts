import { join } from "@std/path";

import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { ToolError } from "../../../schemas/error.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { sessionFolder } from "../tool_state.ts";

/** Mode bits that let others read, and change. */
const OTHERS_READ = 0o055;
const OTHERS_WRITE = 0o022;

/**
 * Checks that a session is this user's own, private, and really in the state folder: what others could have written is not
 * gone on with. Others lose their right to read. A session that is not there yet passes. Needs `read`, `write` and `sys`.
 *
 * @param state Where bulkhead keeps what outlives a run; it may be a link
 * @throws {ToolError} `configuration` with the reason
 */
export function checkSession(state: string, id: string): void {
  const folder = sessionFolder(state, id);
  const root = realOrNull(state);
  if (root === null) return;
  checkOwn(root, { isFile: false, id });
  for (const path of [join(root, "sessions"), sessionFolder(root, id)]) checkOwn(path, { isFile: false, id });
  checkOwn(join(folder, "artifacts"), { isFile: false, id });
  checkOwn(join(folder, "trace.jsonl"), { isFile: true, id });
}

/**
 * Checks that the pictures of a session lie in its own folder: their files are sent to the model. Needs `read`.
 *
 * @param folder The session's own folder
 * @throws {ToolError} `configuration` for a trace that names another file
 */
export function checkPictures(
  lines: readonly TraceLine[],
  { id, folder }: { id: string; folder: string },
): void {
  const artifacts = join(folder, "artifacts");
  const root = realOrNull(artifacts) ?? artifacts;
  for (const path of lines.flatMap(picturesOf)) {
    if (isInside(root, realOrNull(path) ?? path)) continue;
    throw refused(
      id,
      `it names "${path}" as a picture, which does not lie in "${artifacts}", so bulkhead did not write it so`,
    );
  }
}

function picturesOf(line: TraceLine): string[] {
  const parts = line.t === "message"
    ? "content" in line.message && Array.isArray(line.message.content) ? line.message.content : []
    : line.t === "result"
    ? line.pictures
    : [];
  return parts.flatMap((part) => part.type === "image" ? part.path : []);
}

function checkOwn(path: string, { isFile, id }: { isFile: boolean; id: string }): void {
  const info = factsOf(path);
  if (info === null) return;
  const kind = isFile ? info.isFile : info.isDirectory;
  if (!kind) throw refused(id, `"${path}" is ${info.isSymlink ? "a link" : "of another kind"}`);
  if (isFile && (info.nlink ?? 1) > 1) throw refused(id, `"${path}" has a second name elsewhere`);
  const user = Deno.uid();
  if (user !== null && info.uid !== user) {
    throw refused(id, `"${path}" belongs to another user, number ${info.uid}`);
  }
  const mode = info.mode ?? 0;
  if (mode & OTHERS_WRITE) {
    throw refused(id, `other users may write "${path}"; if you trust it, run chmod go-rwx on it`);
  }
  if (mode & OTHERS_READ) Deno.chmodSync(path, mode & 0o700);
}

function factsOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw systemError(error, "check", path);
  }
}

function refused(id: string, why: string): ToolError {
  return new ToolError(
    "configuration",
    `Cannot use session "${id}": ${why}; begin a new session, or remove this one with rm`,
  );
}
