import { join, relative, resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { applyChanges, chooseChanges } from "../../../state/overlay/apply_overlay.ts";
import type { OverlayChange } from "../../../state/overlay/overlay_change.ts";
import { changesOf } from "../../../state/overlay/overlay_changes.ts";
import {
  findOverlay,
  holdOverlay,
  type Overlay,
  removeOverlay,
} from "../../../state/overlay/overlay_store.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { plural } from "../../../text/plural.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import { flagWord, showFlags } from "../../../walls/grants/flag_word.ts";
import { isInside } from "../../../walls/grants/inside.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { findPerson, type Person } from "../../io/ask_person.ts";
import { type Io, print, printError, userFolder } from "../../io/io.ts";
import { executedTest } from "../../setup/executed_test.ts";
import { finishApply } from "../../setup/finish_apply.ts";
import { stateOf } from "../../setup/state_of.ts";
import { tellUnended } from "../../setup/tell_unended.ts";
import { changeRows } from "../../show/show_changes.ts";
import { showChanges, type ShownChange } from "../../../state/overlay/shown_changes.ts";

/** The exit code when files were left out because nobody consented. */
const LEFT_OUT = 3;

/** `apply [PATH ...]`: brings the changes of an overlay into its workspace. */
export async function applyCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const state = stateOf(io);
  const cwd = userFolder(io);
  const folder = resolve(cwd, options.workspace ?? ".");
  const overlay = findOverlay(state, {
    id: options.session ?? null,
    workspace: realOrNull(folder) ?? folder,
  });
  const paths = positionals.map((path) => insideOf(overlay, resolve(cwd, path), path));
  let end: Applied;
  {
    using _held = await holdOverlay(overlay);
    await finishApply(state, overlay.workspace, { io });
    await tellUnended(overlay, io);
    end = await apply(state, overlay, { paths, options, io });
  }
  if (end.rest === 0) await removeOverlay(overlay);
  await report(overlay, end, { options, io });
  return end.left.length > 0 ? LEFT_OUT : 0;
}

/** What came of it. */
interface Applied {
  applied: ShownChange[];
  /** Files that the user's own tools would execute, without consent. */
  left: string[];
  /** How many changes still wait. */
  rest: number;
  /** What belongs to another one now than it did. */
  warnings: string[];
}

async function apply(
  state: string,
  overlay: Overlay,
  { paths, options, io }: { paths: readonly string[]; options: Options; io: Io },
): Promise<Applied> {
  const { changes, unseen } = await changesOf(overlay);
  const chosen = chooseChanges(changes, paths);
  const isExecuted = await executedTest(overlay, io);
  const shown = new Map(showChanges(overlay, chosen, isExecuted).map((change) => [change.path, change]));
  const allowed = allowedPaths(options, io);
  const person = findPerson(io, options);
  const left: string[] = [];
  for (const change of chosen) {
    const real = join(overlay.workspace, change.path);
    if (!isExecuted(real) || allowed.some((path) => isInside(path, real) && isExecuted(path))) continue;
    const consents = person !== null &&
      await askFor(change, { overlay, person, diff: shown.get(change.path)?.diff });
    if (!consents) left.push(change.path);
  }
  const isLeft = (path: string) => left.some((one) => isInside(one, path));
  const taken = withoutOrphans(chosen.filter(({ path }) => !isLeft(path)), chosen);
  const warnings = await applyChanges(state, overlay, taken, { now: new Date() });
  const { changes: rest } = await changesOf(overlay);
  const applied = taken.flatMap(({ path }) => shown.get(path) ?? []);
  return { applied, left, rest: showChanges(overlay, rest, isExecuted).length + unseen.length, warnings };
}

/** A folder stays if something in it stays that was to go, and what needs a folder that was left out is left out too. */
function withoutOrphans(taken: OverlayChange[], chosen: readonly OverlayChange[]): OverlayChange[] {
  const paths = new Set(taken.map(({ path }) => path));
  const kept = chosen.filter(({ path, after }) => after === null && !paths.has(path));
  return taken.filter(({ path, after }) => after !== null || !kept.some((one) => isInside(path, one.path)));
}

/** With `--allow-write` alone, no file is named. */
function allowedPaths({ allowWrite }: Options, io: Io): string[] {
  return Array.isArray(allowWrite) ? allowWrite.map((path: string) => resolve(userFolder(io), path)) : [];
}

async function askFor(
  { path, status }: OverlayChange,
  { overlay, person, diff }: { overlay: Overlay; person: Person; diff: string | undefined },
): Promise<boolean> {
  const verb = { A: "make", M: "change", D: "remove" }[status];
  const answer = await person.confirm({
    tool: "apply",
    input: { path },
    question: `apply would ${verb} a file that your own tools execute`,
    preview: () =>
      Promise.resolve({
        targets: [{ kind: "write", value: join(overlay.workspace, path) }],
        analyses: [],
        change: diff ?? null,
        always: null,
      }),
  });
  return answer === true || answer === "once";
}

/** A path as the overlay knows it. */
function insideOf({ workspace }: Overlay, path: string, asked: string): string {
  const real = realParent(path);
  if (isInside(workspace, real)) return real === workspace ? "" : relative(workspace, real);
  throw new ToolError("invalid_input", `Cannot apply "${asked}": it is not in "${workspace}"`);
}

/** The path itself may be new, or a link that is meant. */
function realParent(path: string): string {
  const parent = resolve(path, "..");
  const real = realOrNull(parent);
  return real === null ? path : join(real, path.slice(parent.length));
}

async function report(
  overlay: Overlay,
  end: Applied,
  { options, io }: { options: Options; io: Io },
): Promise<void> {
  const { applied, left, rest, warnings } = end;
  const said = { session: overlay.id, applied, left_out: left, rest, warnings };
  if (options.json) await print(io, jsonLine(said));
  else {
    const what = applied.length === 0
      ? "nothing to apply\n"
      : `applied ${plural(applied.length, "change")}\n`;
    await print(io, `${what}${changeRows(applied)}`);
  }
  for (const warning of warnings) await printError(io, `bulkhead: ${onOneLine(warning)}\n`);
  for (const path of left) {
    const flag = showFlags([flagWord("--allow-write", [path])]);
    await printError(
      io,
      `bulkhead: left out ${JSON.stringify(path)}: your own tools execute it, pass ${flag} to apply it\n`,
    );
  }
  if (rest > 0 && !options.quiet) {
    await printError(
      io,
      `bulkhead: ${plural(rest, "change")} still in the overlay, see: bulkhead diff ${overlay.id}\n`,
    );
  }
}
