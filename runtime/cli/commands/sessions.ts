import { ToolError } from "../../../schemas/error.ts";
import {
  findSession,
  listSessions,
  type SessionInfo,
  tracePath,
} from "../../state/sessions/session_folder.ts";
import { readTrace } from "../../state/sessions/trace_file.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { renderTable } from "../show/columns.ts";
import { renderSession } from "../show/render_session.ts";

/** `sessions`: the sessions of agents, newest first. `sessions show ID`: what was said and done in one. */
export async function sessionsCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const state = stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? "");
  if (state === null) {
    throw new ToolError(
      "configuration",
      "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
    );
  }
  const [action, id] = positionals;
  if (action === undefined) {
    const sessions = await listSessions(state);
    await print(io, options.json ? jsonLine(sessions) : renderList(sessions));
    return 0;
  }
  if (action !== "show" || id === undefined) {
    throw new ToolError("invalid_input", "Write: bulkhead sessions show ID, see: bulkhead sessions --help");
  }
  const path = tracePath(state, await findSession(state, { id, workspace: "" }));
  const lines = await readTrace(path);
  await print(io, options.json ? jsonLine({ id, path, lines }) : renderSession(id, lines));
  return 0;
}

function renderList(sessions: readonly SessionInfo[]): string {
  if (sessions.length === 0) return "no sessions\n";
  const cells = sessions.map((session) => [
    session.id,
    session.updated.slice(0, 16).replace("T", " "),
    session.termination ?? "unfinished",
    onOneLine(session.workspace),
    onOneLine(session.task),
  ]);
  return renderTable([["SESSION", "UPDATED (UTC)", "END", "WORKSPACE", "TASK"], ...cells]);
}
