import { changesOf } from "../../state/overlay/overlay_changes.ts";
import { readOverlay } from "../../state/overlay/overlay_store.ts";
import { showChanges } from "../../state/overlay/shown_changes.ts";
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

/** Compares what is there with what was there before a run: in the workspace, or in the run's copy of it. Needs `read`. */
export async function runDiff(state: string, id: string): Promise<RunDiff> {
  const overlay = readOverlay(state, id);
  if (overlay === null) return { changes: await runChanges(sessionRecords(state, id)), waits: false };
  const { changes } = await changesOf(overlay);
  const shown = showChanges(overlay, changes, () => false);
  return { changes: shown.map((change) => ({ ...change, status: STATUSES[change.status] })), waits: true };
}
