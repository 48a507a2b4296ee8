import type { ShownChange } from "../../state/overlay/shown_changes.ts";
import { onOneLine } from "../../text/strip_controls.ts";

/** Returns a line for each change, as `git status --short` with counts of lines. */
export function changeRows(changes: readonly ShownChange[]): string {
  return changes.map((change) => {
    const { path, status, kind, added, removed } = change;
    const lines = kind === "file" ? added === null ? "  binary" : `  +${added} -${removed}` : `  ${kind}`;
    const notes = [
      ...change.executed ? ["your own tools execute it"] : [],
      ...change.outdated ? ["changed in the workspace since"] : [],
    ];
    return `  ${status} ${onOneLine(path)}${lines}${notes.length > 0 ? `  (${notes.join("; ")})` : ""}\n`;
  }).join("");
}
