import { join } from "@std/path";

import { isSecret } from "../../walls/grants/secret_paths.ts";
import { compareEntries } from "../trees/compare_entries.ts";
import type { EntryFacts } from "../trees/entry_facts.ts";
import type { OverlayChange } from "./overlay_change.ts";
import type { Overlay } from "./overlay_store.ts";

/** A change as it is shown, and as `--json` prints it. */
export interface ShownChange {
  path: string;
  status: OverlayChange["status"];
  kind: EntryFacts["kind"];
  /** Lines; `null` for what is no text. */
  added: number | null;
  removed: number | null;
  /** The user's own tools would execute it. */
  executed: boolean;
  /** The workspace has changed there since the copy was made. */
  outdated: boolean;
  /** As `diff -u` writes it, or one line about what is no text. */
  diff: string;
}

/** Returns changes as they are shown. New folders are left out unless they are empty. Needs `read`. */
export function showChanges(
  overlay: Overlay,
  changes: readonly OverlayChange[],
  isExecuted: (path: string) => boolean,
): ShownChange[] {
  const filled = new Set(changes.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
  const isTold = ({ path, before, after }: OverlayChange) =>
    !(before === null && after?.kind === "folder" && filled.has(path)) &&
    !(after === null && before?.kind === "folder" && filled.has(path));
  return changes.filter(isTold).map((change) => {
    const { path, status, before, after, isOutdated } = change;
    const compared = compareEntries(path, {
      before: { at: join(overlay.workspace, path), facts: before },
      after: { at: join(overlay.tree, path), facts: after },
    }, { isSecret: isSecret(join(overlay.workspace, path), overlay.workspace) });
    return {
      ...{ path, status, kind: (after ?? before)!.kind, added: compared.added, removed: compared.removed },
      ...{ executed: isExecuted(join(overlay.workspace, path)), outdated: isOutdated, diff: compared.diff },
    };
  });
}
