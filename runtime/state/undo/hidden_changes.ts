import { resolve } from "@std/path";

import { onOneLine } from "../../text/strip_controls.ts";
import type { RunChange } from "./run_changes.ts";

/** What is told of a change. */
type ToldChange = Pick<RunChange, "path" | "status" | "added" | "removed" | "diff">;

/**
 * Returns changes without the content of what may not be shown: name and kind of change stay.
 *
 * @param workspace Absolute path: those of the changes start there
 */
export function hideUnreadable<Change extends ToldChange>(
  changes: readonly Change[],
  { workspace, mayRead }: { workspace: string; mayRead(path: string): boolean },
): Change[] {
  return changes.map((change) => {
    // Of what is no text, and of secrets, nothing is shown anyway.
    if (change.added === null || mayRead(resolve(workspace, change.path))) return change;
    const name = onOneLine(change.path);
    const diff = `--- ${onOneLine(`a/${name}`)}\n+++ ${
      onOneLine(`b/${name}`)
    }\nnot shown: it may not be read here\n`;
    return { ...change, added: null, removed: null, diff };
  });
}
