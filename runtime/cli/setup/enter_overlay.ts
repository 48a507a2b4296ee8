import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { findOverlayBox, type OverlayBox, runInside } from "../../host/overlay/run_inside.ts";
import { changesOf } from "../../state/overlay/overlay_changes.ts";
import {
  layOverlay,
  listOverlays,
  makeOverlay,
  type Overlay,
  readOverlay,
  removeOverlay,
  removeParts,
  workIn,
} from "../../state/overlay/overlay_store.ts";
import { findSession, newSessionId } from "../../state/sessions/session_folder.ts";
import { sessionFolder } from "../../state/tool_state.ts";
import { plural } from "../../text/plural.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { type Io, printError, selfOf, userFolder } from "../io/io.ts";
import { changeRows } from "../show/show_changes.ts";
import { showChanges } from "../../state/overlay/shown_changes.ts";
import { executedTest } from "./executed_test.ts";
import { finishApply } from "./finish_apply.ts";
import { stateOf } from "./state_of.ts";
import { tellUnended } from "./tell_unended.ts";

/** When a copy takes so long, the user is told what is going on, in milliseconds. */
const PATIENCE_MS = 1_000;
/** Most characters of a command that are kept. */
const MAX_TASK = 200;
/** How many changes are listed at the end of a run. */
const SHOWN = 20;

/** Runs a command in a copy of its workspace, and tells at its end what is different there. */
export async function enterOverlay(
  words: readonly string[],
  invocation: Invocation,
  io: Io,
): Promise<number> {
  const { options } = invocation;
  const state = stateOf(io);
  const workspace = workspaceOf(invocation, io);
  const box = await findOverlayBox(io.variables(), workspace);
  await finishApply(state, workspace, { io });
  const parts = await removeParts(state);
  if (parts > 0) {
    await printError(
      io,
      `bulkhead: removed the rest of ${plural(parts, "overlay")} that a killed bulkhead left\n`,
    );
  }
  const { id, isNew } = await sessionOf(invocation, { state, workspace });
  const findWay = wayOf(options.overlay, box);
  const overlay = await openOverlay({ state, id, workspace, isNew, task: taskOf(invocation), findWay }, io);
  const isAgent = invocation.command === "run";
  const added = [
    ...options.overlay ? [] : ["--overlay"],
    ...isAgent && isNew && !options.noSession && options.session === undefined ? [`--session=${id}`] : [],
  ];
  await tellUnended(overlay, io);
  const code = await workIn(overlay, async () =>
    await runInside({
      ...{ overlay, state, words: [...added, ...words], self: selfOf(io) },
      ...{ cwd: userFolder(io), interrupt: io.interrupt },
      hasTerminal: io.stdinIsTerminal() || io.stderrWidth() !== null,
    }, box));
  await tellEnd(overlay, io, { quiet: options.quiet ?? false });
  return code;
}

/** Whether a run without the option belongs to an overlay: the session that it goes on with has one. */
export async function goesOnInOverlay(invocation: Invocation, io: Io): Promise<boolean> {
  const { command, options } = invocation;
  if (command !== "run" || options.resume === undefined || options.help || options.version) return false;
  const workspace = workspaceOf(invocation, io);
  const state = stateOf(io);
  const wanted = typeof options.resume === "string" ? options.resume : options.session ?? null;
  try {
    return readOverlay(state, await findSession(state, { id: wanted, workspace })) !== null;
  } catch (error) {
    // The run itself says so.
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function workspaceOf({ options }: Invocation, io: Io): string {
  const path = resolve(userFolder(io), options.workspace ?? ".");
  const workspace = realOrNull(path);
  if (workspace !== null) return workspace;
  throw new ToolError("configuration", `Cannot use "${path}" as the workspace: there is no such folder`);
}

async function sessionOf(
  { command, options: { resume, session } }: Invocation,
  { state, workspace }: { state: string; workspace: string },
): Promise<{ id: string; isNew: boolean }> {
  if (command === "run" && resume !== undefined) {
    const wanted = typeof resume === "string" ? resume : session ?? null;
    return { id: await findSession(state, { id: wanted, workspace }), isNew: false };
  }
  const id = session ?? newSessionId(new Date());
  // Refuses an id that is none.
  sessionFolder(state, id);
  return { id, isNew: true };
}

/** A run has a trace, which tells its task. */
function taskOf({ command, positionals }: Invocation): string | undefined {
  return command === "run"
    ? undefined
    : [...command === "exec" ? [] : [`${command}`], ...positionals].join(" ").slice(0, MAX_TASK);
}

/** `null`: the user wants a copy. */
function wayOf(wanted: Options["overlay"], box: OverlayBox): OverlayBox["findWay"] | null {
  if (wanted === undefined || wanted === true) return box.findWay;
  const [how, ...others] = wanted;
  if (how === "copy" && others.length === 0) return null;
  throw new ToolError(
    "invalid_input",
    `Option --overlay takes no value or "copy", not "${wanted.join(",")}"`,
  );
}

async function openOverlay(
  { state, id, workspace, isNew, task, findWay }: {
    state: string;
    id: string;
    workspace: string;
    isNew: boolean;
    task: string | undefined;
    findWay: OverlayBox["findWay"] | null;
  },
  io: Io,
): Promise<Overlay> {
  const known = readOverlay(state, id);
  if (known && known.workspace !== workspace) {
    throw new ToolError("conflict", `The overlay of session "${id}" is one of "${known.workspace}"`);
  }
  if (known && isNew) {
    throw new ToolError(
      "conflict",
      `Session "${id}" has an overlay already: go on with run --resume ${id}, or remove it with sessions rm ${id}`,
    );
  }
  if (known) return known;
  for (const other of listOverlays(state)) if (other.workspace === workspace) await tellUnended(other, io);
  const laid = findWay &&
    await layOverlay(state, { id, workspace, now: new Date(), ...(task !== undefined && { task }), findWay });
  if (laid && !("cause" in laid)) return laid;
  const why = laid ? `, because ${onOneLine(laid.cause)}` : "";
  const timer = setTimeout(
    () => void printError(io, `bulkhead: copying "${onOneLine(workspace)}" for the overlay${why} ...\n`),
    PATIENCE_MS,
  );
  try {
    const { overlay, left } = await makeOverlay(state, {
      id,
      workspace,
      now: new Date(),
      ...(task !== undefined && { task }),
    });
    if (left.length > 0) {
      const shown = left.slice(0, 3).map((path) => `"${onOneLine(path)}"`).join(", ");
      await printError(io, `bulkhead: ${plural(left.length, "file")} could not be copied: ${shown}\n`);
    }
    return overlay;
  } finally {
    clearTimeout(timer);
  }
}

async function tellEnd(overlay: Overlay, io: Io, { quiet }: { quiet: boolean }): Promise<void> {
  const { changes, unseen } = await changesOf(overlay);
  if (changes.length === 0 && unseen.length === 0) {
    await removeOverlay(overlay);
    if (!quiet) await printError(io, "bulkhead: nothing was changed in the overlay\n");
    return;
  }
  if (quiet) return;
  const shown = showChanges(overlay, changes, await executedTest(overlay, io));
  const more = shown.length > SHOWN ? `  and ${shown.length - SHOWN} more\n` : "";
  const lost = unseen.length > 0 ? `  and ${plural(unseen.length, "entry")} that cannot be brought in\n` : "";
  await printError(
    io,
    `bulkhead: ${plural(shown.length, "change")} in the overlay; the workspace is as it was\n` +
      `${changeRows(shown.slice(0, SHOWN))}${more}${lost}` +
      `bulkhead: see them with: bulkhead diff ${overlay.id}; bring them in with: bulkhead apply --session ` +
      `${overlay.id}; drop them with: bulkhead sessions rm ${overlay.id}\n`,
  );
}
