import { changesOf } from "../../state/overlay/overlay_changes.ts";
import { readOverlay } from "../../state/overlay/overlay_store.ts";
import { showChanges } from "../../state/overlay/shown_changes.ts";
import { hideUnreadable } from "../../state/undo/hidden_changes.ts";
import { type RunChange, runChanges } from "../../state/undo/run_changes.ts";
import { sessionRecords } from "../../state/undo/undo_store.ts";

/** What a run changed. */
export interface RunDiff {
  /** By path. */
  changes: readonly Pick<RunChange, "path" | "status" | "added" | "removed" | "diff">[];
  /** They wait in a copy of the workspace until somebody brings them in. */
  waits: boolean;
}

const STATUSES = { A: "added", M: "modified", D: "deleted" } as const;

/**
 * Compares what is there with what was there before a run: in the workspace, or in the run's copy of it. Needs `read`.
 *
 * @param mayRead Says which files have a content: of others only the name is told
 */
export async function runDiff(
  state: string,
  id: string,
  mayRead: (path: string) => boolean,
): Promise<RunDiff> {
  const overlay = readOverlay(state, id);
  if (overlay === null) {
    const records = sessionRecords(state, id);
    const workspace = records[0]?.head.workspace ?? "/";
    return { changes: hideUnreadable(await runChanges(records), { workspace, mayRead }), waits: false };
  }
  const { changes } = await changesOf(overlay);
  const shown = showChanges(overlay, changes, () => false);
  const told = shown.map((change) => ({ ...change, status: STATUSES[change.status] }));
  return { changes: hideUnreadable(told, { workspace: overlay.workspace, mayRead }), waits: true };
}
