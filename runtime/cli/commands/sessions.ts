import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { listOverlays, removeOverlay } from "../../state/overlay/overlay_store.ts";
import { checkSession } from "../../state/sessions/check_session.ts";
import { removeRecords } from "../../state/undo/undo_store.ts";
import { removeSession } from "../../state/sessions/remove_session.ts";
import {
  findSession,
  listSessions,
  type SessionInfo,
  tracePath,
} from "../../state/sessions/session_folder.ts";
import { readTrace } from "../../state/sessions/trace_file.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { makeRedactor, secretValues } from "../../text/secrets/redact.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import type { Options } from "../args/options/option_table.ts";
import { type Io, print, userFolder } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { renderTable } from "../show/tables/columns.ts";
import { renderSession } from "../show/render_session.ts";

/** `sessions`: the sessions of agents, newest first; `show [ID]` tells what was said and done; `rm` removes some. */
export async function sessionsCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const state = stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? "");
  if (state === null) {
    throw new ToolError(
      "configuration",
      "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
    );
  }
  const [action, ...ids] = positionals;
  if (options.html && action !== "show") {
    throw new ToolError(
      "invalid_input",
      "Option --html is for one session: bulkhead sessions show ID --html",
    );
  }
  const chosen = await choose(state, { options, io });
  if (action === "show") return await show(ids[0], { state, chosen, options, io });
  if (action === "rm") return await remove(ids, { state, chosen, options, io });
  await print(io, options.json ? jsonLine(chosen) : renderList(chosen, io.stdoutWidth()));
  return 0;
}

/** A session, and whether changes of it wait to be brought in. */
interface ListedSession extends SessionInfo {
  overlay: boolean;
}

/** What the actions work on: the sessions that `--here` and `--older-than` leave, newest first. */
interface Chosen {
  state: string;
  chosen: readonly ListedSession[];
  options: Options;
  io: Io;
}

async function choose(
  state: string,
  { options, io }: Omit<Chosen, "state" | "chosen">,
): Promise<ListedSession[]> {
  if (options.workspace !== undefined && !options.here) {
    throw new ToolError("invalid_input", "Option --workspace says where --here is: give both");
  }
  const before = options.olderThan === undefined ? Infinity : Date.now() - readAge(options.olderThan);
  const folder = resolve(userFolder(io), options.workspace ?? ".");
  const here = options.here ? realOrNull(folder) ?? folder : null;
  return withOverlays(state, await listSessions(state)).filter(({ updated, workspace }) =>
    Date.parse(updated) <= before && (here === null || workspace === here)
  );
}

/** A command of the user has no trace; its overlay waits all the same. */
function withOverlays(state: string, sessions: readonly SessionInfo[]): ListedSession[] {
  const overlays = new Map(listOverlays(state).map((overlay) => [overlay.id, overlay]));
  const listed = sessions.map((session) => ({ ...session, overlay: overlays.delete(session.id) }));
  const others = [...overlays.values()].map(({ id, workspace, started, task = "" }) => ({
    ...{ id, workspace, started, updated: started, overlay: true },
    ...{ model: "", task, termination: null, rounds: null, bytes: 0 },
  }));
  return [...listed, ...others].sort((a, b) => a.updated < b.updated ? 1 : -1);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

function readAge(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * UNITS_MS[unit]!;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new ToolError(
    "invalid_input",
    `Option --older-than must be a number and a unit, m, h, d or w, such as 30d, not ${shown}`,
  );
}

async function show(wanted: string | undefined, { state, chosen, options, io }: Chosen): Promise<number> {
  const id = wanted === undefined
    ? chosen.find(({ model }) => model !== "")?.id ?? null
    : await findSession(state, { id: wanted, workspace: "" });
  if (id === null) {
    throw new ToolError("invalid_input", "There is no session to show, see: bulkhead sessions");
  }
  checkSession(state, id);
  if (options.html) {
    const { exportSession } = await import("../../export/export_session.ts");
    const redact = makeRedactor(secretValues(io.variables()));
    await print(io, await exportSession(id, { state, manifest: await io.manifest(), redact }));
    return 0;
  }
  const path = tracePath(state, id);
  const lines = await readTrace(path);
  await print(io, options.json ? jsonLine({ id, path, lines }) : renderSession(id, lines));
  return 0;
}

/** Every id is looked up before the first session is removed. */
async function remove(wanted: readonly string[], { state, chosen, options, io }: Chosen): Promise<number> {
  const filtered = options.here !== undefined || options.olderThan !== undefined;
  if ((wanted.length > 0) === filtered) {
    throw new ToolError(
      "invalid_input",
      "Write: bulkhead sessions rm ID ..., or choose them with --older-than AGE or --here, see: bulkhead sessions --help",
    );
  }
  const overlays = new Map(listOverlays(state).map((overlay) => [overlay.id, overlay]));
  const found = await Promise.all(
    wanted.map((id) => overlays.has(id) ? id : findSession(state, { id, workspace: "" })),
  );
  const removed = filtered ? chosen.map(({ id }) => id) : [...new Set(found)];
  for (const id of removed) {
    const overlay = overlays.get(id);
    const removeRest = async () => {
      if (overlay) await removeOverlay(overlay);
      removeRecords(state, id);
    };
    if (!overlay || isTraced(state, id)) await removeSession(state, id, removeRest);
    else await removeRest();
    if (!options.json) await print(io, `removed ${id}\n`);
  }
  if (options.json) await print(io, jsonLine({ removed }));
  else if (removed.length === 0) await print(io, "no sessions\n");
  return 0;
}

/** Who reads it wants to know of changes that wait. */
function endOf({ model, termination, overlay }: ListedSession): string {
  if (model === "") return "overlay";
  return `${termination ?? "unfinished"}${overlay ? ", overlay" : ""}`;
}

function isTraced(state: string, id: string): boolean {
  return lstat(tracePath(state, id)) !== null;
}

function renderList(sessions: readonly ListedSession[], width: number | null): string {
  if (sessions.length === 0) return "no sessions\n";
  const cells = sessions.map((session) => [
    session.id,
    session.updated.slice(0, 16).replace("T", " "),
    endOf(session),
    onOneLine(session.workspace),
    onOneLine(session.task),
  ]);
  const narrow = [[4, 20], [3, 12], [4, 8]] as const;
  return renderTable([["SESSION", "UPDATED (UTC)", "END", "WORKSPACE", "TASK"], ...cells], { width, narrow });
}
