import { resolve } from "@std/path";

import { changesOf } from "../../../state/overlay/overlay_changes.ts";
import { findOverlay } from "../../../state/overlay/overlay_store.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, print, printError, userFolder } from "../../io/io.ts";
import { executedTest } from "../../setup/executed_test.ts";
import { finishApply } from "../../setup/finish_apply.ts";
import { stateOf } from "../../setup/state_of.ts";
import { tellUnended } from "../../setup/tell_unended.ts";
import { changeRows } from "../../show/show_changes.ts";
import { showChanges } from "../../../state/overlay/shown_changes.ts";

/** `diff [SESSION]`: what is other in an overlay than it was in the workspace. */
export async function diffCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const state = stateOf(io);
  const folder = resolve(userFolder(io), options.workspace ?? ".");
  const workspace = realOrNull(folder) ?? folder;
  const overlay = findOverlay(state, { id: positionals[0] ?? null, workspace });
  await finishApply(state, overlay.workspace, { io });
  await tellUnended(overlay, io);
  const { changes, unseen } = await changesOf(overlay);
  const shown = showChanges(overlay, changes, await executedTest(overlay, io));
  if (options.json) {
    await print(io, jsonLine({ session: overlay.id, workspace: overlay.workspace, changes: shown, unseen }));
    return 0;
  }
  await print(io, options.stat ? changeRows(shown) : shown.map(({ diff }) => diff).join(""));
  if (shown.length === 0) await printError(io, "bulkhead: nothing differs\n");
  for (const path of unseen) await printError(io, `bulkhead: ${JSON.stringify(path)} cannot be brought in\n`);
  return 0;
}
