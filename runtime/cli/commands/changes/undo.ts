import { resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { planUndo } from "../../../state/undo/plan_undo.ts";
import type { ReadRecord } from "../../../state/undo/read_record.ts";
import { shownPlan, type ShownStep } from "../../../state/undo/shown_plan.ts";
import { holdRecords, listRecords, takeBack } from "../../../state/undo/undo_store.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { plural } from "../../../text/plural.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { awaitInput, type Io, print, printError, userFolder } from "../../io/io.ts";
import { Questioner } from "../../io/keyboard.ts";
import { finishApply } from "../../setup/finish_apply.ts";
import { stateOf } from "../../setup/state_of.ts";

/** The exit code when something is left as it is. */
const REFUSED = 1;

/** `undo [SESSION]`: puts back what was there before a run. */
export async function undoCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const state = stateOf(io);
  const folder = resolve(userFolder(io), options.workspace ?? ".");
  const workspace = realOrNull(folder) ?? folder;
  const force = options.force ?? false;
  await finishApply(state, workspace, { io, force });
  const all = chooseRecords(listRecords(state), { id: positionals[0] ?? null, workspace });
  const chosen = options.last ? all.slice(0, 1) : all;
  const { session, workspace: at } = chosen[0]!.head;
  if (options.dryRun) {
    const plan = shownPlan(await planUndo(chosen, { force }), at);
    if (options.json) await print(io, jsonLine({ session, done: [], planned: plan.all }));
    else await print(io, stepRows(plan.done));
    return 0;
  }
  using held = await holdRecords(chosen);
  if (held.records.some(({ isInterrupted }) => isInterrupted)) {
    await printError(io, "bulkhead: going on with an undo that was interrupted\n");
  }
  const planned = await planUndo(held.records, { force });
  if (!options.json) await print(io, stepRows(shownPlan(planned, at).done));
  const isNeeded = planned.done.length + planned.refused.length > 0;
  if (isNeeded && !await consents(options, io)) return 0;
  const { warnings, ...ended } = await takeBack(held, { force });
  const end = shownPlan(ended, at);
  const { length } = end.done;
  await print(
    io,
    options.json
      ? jsonLine({ session, done: end.done, refused: end.refused, warnings })
      : length === 0 && end.refused.length === 0
      ? "nothing to undo\n"
      : `${plural(length, "path")} of session ${session} ${length === 1 ? "is" : "are"} as before\n`,
  );
  for (const { path, refused: why } of end.refused) {
    await printError(io, `bulkhead: left ${JSON.stringify(path)} as it is: ${why}\n`);
  }
  for (const warning of warnings) await printError(io, `bulkhead: ${onOneLine(warning)}\n`);
  return end.refused.length > 0 ? REFUSED : 0;
}

/** All records of one session that are not undone yet, the newest first. */
function chooseRecords(
  all: readonly ReadRecord[],
  { id, workspace }: { id: string | null; workspace: string },
): ReadRecord[] {
  const open = all.filter(({ isUndone }) => !isUndone);
  const ids = id === null
    ? [open.find((record) => record.head.workspace === workspace)?.head.session]
    : [...new Set(open.map(({ head }) => head.session).filter((session) => session.startsWith(id)))];
  const session = ids.includes(id ?? undefined) ? id : ids[0];
  if (ids.length > 1 && session !== id) {
    throw new ToolError(
      "invalid_input",
      `Several sessions begin with "${id}": ${ids.slice(0, 3).join(", ")}`,
    );
  }
  if (session !== undefined && session !== null) return open.filter(({ head }) => head.session === session);
  const isDone = all.some(({ head }) =>
    id === null ? head.workspace === workspace : head.session.startsWith(id)
  );
  const what = id === null ? `No session of "${workspace}" has` : `Session "${id}" has no`;
  throw new ToolError(
    "invalid_input",
    `${what} changes to undo${isDone ? ": they are undone already" : ""}; see: bulkhead sessions`,
  );
}

function stepRows(steps: readonly ShownStep[]): string {
  return steps.map(({ path, action }) => `  ${action.padEnd(7)} ${onOneLine(path)}\n`).join("");
}

/** Nobody can say yes without a terminal. */
async function consents({ yes, json }: Options, io: Io): Promise<boolean> {
  if (yes) return true;
  if (!io.stdinIsTerminal() || io.stderrWidth() === null || io.env("CI") || json) {
    throw new ToolError(
      "invalid_input",
      "Nothing was changed: pass --yes to undo without a question, or --dry-run to look",
    );
  }
  const questioner = new Questioner(io.keyboard, (text) => printError(io, text));
  const prompt = "Put all this back? [y]es, [n]o: ";
  const line = await awaitInput(io, questioner.ask({ shown: "", prompt }, io.interrupt));
  return /^\s*y(es)?\s*$/i.test(line ?? "");
}
