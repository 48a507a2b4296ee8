import { join } from "@std/path";

import type { OverlayChange } from "../../state/overlay/overlay_changes.ts";
import type { Overlay } from "../../state/overlay/overlay_store.ts";
import type { EntryFacts } from "../../state/trees/entry_facts.ts";
import { onOneLine, stripControls } from "../../text/strip_controls.ts";
import { diffLines } from "./unified_diff.ts";

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

/** Longest text that is compared, in bytes. */
const MAX_TEXT = 4 * 1024 * 1024;

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
    const compared = compare(overlay, change);
    return {
      ...{ path, status, kind: (after ?? before)!.kind, added: compared.added, removed: compared.removed },
      ...{ executed: isExecuted(join(overlay.workspace, path)), outdated: isOutdated, diff: compared.diff },
    };
  });
}

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

interface Compared {
  added: number | null;
  removed: number | null;
  diff: string;
}

function compare({ tree, workspace }: Overlay, { path, before, after }: OverlayChange): Compared {
  const old = textOf(join(workspace, path), before);
  const now = textOf(join(tree, path), after);
  const modes = before?.kind === "file" && after?.kind === "file" && before.mode !== after.mode
    ? `old mode ${octal(before.mode)}\nnew mode ${octal(after.mode)}\n`
    : "";
  const title = `--- ${nameOf("a", path, before)}\n+++ ${nameOf("b", path, after)}\n`;
  if (old === null || now === null) {
    const what = [before, after].map(shownKind).filter((kind) => kind !== "").join(" to ");
    return { added: null, removed: null, diff: `${title}${modes}${what || "nothing"}: not shown\n` };
  }
  const { added, removed, hunks } = diffLines(old, now);
  return { added, removed, diff: `${title}${modes}${stripControls(hunks)}` };
}

/** `null` for what is no text, or too long. */
function textOf(path: string, facts: EntryFacts | null): string | null {
  if (facts === null) return "";
  if (facts.kind === "link") return `${facts.target ?? ""}\n`;
  if (facts.kind !== "file" || facts.size > MAX_TEXT) return null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Deno.readFileSync(path));
    return text.includes("\0") ? null : text;
  } catch (error) {
    if (error instanceof TypeError || error instanceof Deno.errors.NotFound) return null;
    if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.IsADirectory) {
      return null;
    }
    throw error;
  }
}

function shownKind(facts: EntryFacts | null): string {
  if (facts === null) return "";
  return facts.kind === "file" ? `${facts.size} bytes` : facts.kind;
}

function nameOf(side: string, path: string, facts: EntryFacts | null): string {
  return facts === null ? "/dev/null" : onOneLine(`${side}/${path}`);
}

function octal(mode: number): string {
  return `100${mode.toString(8).padStart(3, "0")}`;
}
