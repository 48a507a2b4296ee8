import { ToolError } from "../../../schemas/error.ts";
import type { Hunk, Patch } from "./patch.ts";
import { type DiffLine, formatDiff } from "./patch_diff.ts";
import { findPlaces, type Place } from "./patch_places.ts";
import { lineEnding, splitLines } from "../file/text_file.ts";

/** A patched text. */
export interface Patched {
  text: string;
  /** What changed, as a short unified diff with true line numbers; empty if nothing did. */
  diff: string;
  /** A sentence for every hunk that went to the nearest of several equal places. */
  warnings: string[];
}

/** A line and the bytes that end it: "\n", "\r\n", or "" for a last line without an end. */
interface Line {
  text: string;
  end: string;
}

/** A line that a hunk adds. */
interface Addition extends Line {
  /** The patch says that no line end follows it. */
  open: boolean;
}

/** What all hunks do, by index of the old line. */
interface Script {
  deleted: ReadonlySet<number>;
  /** Lines to put before an old line, or after the last. */
  added: ReadonlyMap<number, readonly Addition[]>;
  /** A hunk deletes the last line and says that no line end follows it. The patch decides the new end. */
  endStated: boolean;
}

const BOM = "\ufeff";

/**
 * Applies a patch to a text. Lines that the patch does not name keep every byte; added lines take the line
 * end of the line they replace or follow. It applies all hunks or nothing.
 *
 * @throws {ToolError} `conflict` if a hunk fits nowhere or in several places, or two hunks change the same lines
 */
export function applyPatch(text: string, patch: Patch): Patched {
  if (!patch.carriage) return applyAs(text, patch.hunks, { carriage: false });
  try {
    return applyAs(text, patch.hunks, { carriage: true });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return applyAs(text, patch.hunks.map(withoutCarriage), { carriage: false });
  }
}

/** With `carriage`, CR is a part of the lines' text, as in a patch whose lines carry their own CR. */
function applyAs(text: string, hunks: readonly Hunk[], options: { carriage: boolean }): Patched {
  // The BOM is part of the first line only if the patch names it.
  const namesBom = hunks.some((hunk) => hunk.lines.some((line) => line.text.startsWith(BOM)));
  const bom = text.startsWith(BOM) && !namesBom ? BOM : "";
  const lines = splitLines(text.slice(bom.length)).map((line) => splitEnd(line, options));
  const places = findPlaces(lines.map((line) => line.text), hunks);
  const usual = options.carriage ? "\n" : lineEnding(text);
  const result = assemble(lines, scriptOf(places, lines, usual), usual);
  const patched = bom +
    result.filter((line) => line.kind !== "delete").map((line) => line.text + line.end).join("");
  return {
    text: patched,
    diff: patched === text ? "" : formatDiff(result),
    warnings: places.flatMap(warnOf),
  };
}

function warnOf({ hunk, start, nearestOf }: Place): string[] {
  if (nearestOf === null) return [];
  const chosen = `line ${
    start + 1
  }, of ${nearestOf} equal places the nearest to line ${hunk.oldStart} of its header`;
  return [`Hunk #${hunk.number} was applied at ${chosen}`];
}

function withoutCarriage(hunk: Hunk): Hunk {
  return { ...hunk, lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, "") })) };
}

function splitEnd(line: string, options: { carriage: boolean }): Line {
  if (!line.endsWith("\n")) return { text: line, end: "" };
  const end = !options.carriage && line.endsWith("\r\n") ? "\r\n" : "\n";
  return { text: line.slice(0, -end.length), end };
}

function scriptOf(places: readonly Place[], lines: readonly Line[], usual: string): Script {
  const deleted = new Set<number>();
  const added = new Map<number, Addition[]>();
  let endStated = false;
  for (const { start, lines: body } of places) {
    let at = start;
    let replaced: string[] = [];
    for (const { kind, text, open } of body) {
      if (kind === "add") {
        // The first added line takes the end of the first deleted one, and so on.
        const end = replaced.shift() || neighbourEnd(lines, at) || usual;
        const before = added.get(at) ?? [];
        before.push({ text, end, open });
        added.set(at, before);
        continue;
      }
      if (kind === "delete") {
        deleted.add(at);
        replaced.push(lines[at]?.end ?? "");
        endStated ||= open;
      } else {
        replaced = [];
      }
      at++;
    }
  }
  return { deleted, added, endStated };
}

function neighbourEnd(lines: readonly Line[], at: number): string {
  return lines[at - 1]?.end || lines[at]?.end || "";
}

function assemble(lines: readonly Line[], script: Script, usual: string): DiffLine[] {
  const result: DiffLine[] = [];
  let last: { line: DiffLine; open: boolean } | null = null;
  for (let at = 0; at <= lines.length; at++) {
    for (const { text, end, open } of script.added.get(at) ?? []) {
      const line: DiffLine = { kind: "add", text, end };
      result.push(line);
      last = { line, open };
    }
    const old = lines[at];
    if (!old) continue;
    const line: DiffLine = {
      kind: script.deleted.has(at) ? "delete" : "context",
      text: old.text,
      end: old.end,
    };
    result.push(line);
    if (line.kind === "context") last = { line, open: false };
  }
  closeInnerLines(result, last?.line ?? null, usual);
  if (last?.line.kind === "add" && endsOpen(last, lines, script)) last.line.end = "";
  return result;
}

/** An old last line without a line end gets one where lines now follow it. */
function closeInnerLines(result: readonly DiffLine[], last: DiffLine | null, usual: string): void {
  for (const line of result) {
    if (line !== last && line.kind !== "delete" && line.end === "") line.end = usual;
  }
}

/** Whether an added last line stays without a line end: if the patch says so, or as the file was before. */
function endsOpen(last: { open: boolean }, lines: readonly Line[], script: Script): boolean {
  if (last.open) return true;
  return lines.at(-1)?.end === "" && !script.endStated;
}
