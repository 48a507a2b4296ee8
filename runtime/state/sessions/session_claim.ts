import { join } from "@std/path";

import { isObject } from "../../../schemas/json/shape.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { sessionFolder } from "../tool_state.ts";

/** The file of a session that says whose it is, where no trace does. */
const NAME = "workspace.json";

/**
 * Takes a session for a workspace if nobody has it, and says whose it is. Needs `read` and `write`.
 *
 * @param state Where bulkhead keeps what outlives a run
 * @param workspace Real path
 * @returns The workspace that the session was begun for; `null` if it does not say
 * @throws {ToolError} `invalid_input` for what is no id, and what the system says
 */
export function claimSession(state: string, id: string, workspace: string): string | null {
  const folder = sessionFolder(state, id);
  const path = join(folder, NAME);
  try {
    Deno.mkdirSync(join(state, "sessions"), { recursive: true, mode: 0o700 });
    if (!isMade(folder)) return workspaceIn(path);
    Deno.writeTextFileSync(path, JSON.stringify({ v: 1, workspace }), { createNew: true, mode: 0o600 });
    return workspace;
  } catch (error) {
    throw systemError(error, "take", folder);
  }
}

/** Whoever makes the folder has the session. */
function isMade(folder: string): boolean {
  try {
    Deno.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

function workspaceIn(path: string): string | null {
  try {
    const said: unknown = JSON.parse(readNamedText(path));
    return isObject(said) && typeof said.workspace === "string" ? said.workspace : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}
