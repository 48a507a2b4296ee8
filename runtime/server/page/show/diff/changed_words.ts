import type { DiffLine } from "./read_diff.ts";

/** Where a line differs from the one that it stands for: from the first character to before the last. */
export type ChangedSpan = readonly [start: number, end: number];

/** Finds what changed within lines that stand for each other: as many removed as added ones, one after the other. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, ChangedSpan> {
  const found = new Map<DiffLine, ChangedSpan>();
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    if (removed.length === added.length) {
      for (const [index, line] of removed.entries()) compare(line, added[index]!, found);
    }
    at += Math.max(1, removed.length + added.length);
  }
  return found;
}

function runOf(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): readonly DiffLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(start, end);
}

function compare(before: DiffLine, after: DiffLine, found: Map<DiffLine, ChangedSpan>): void {
  const [old, next] = [before.text, after.text];
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  // Lines that share next to nothing are told by their colour alone.
  if (start + tail < shorter / 3) return;
  found.set(before, [start, old.length - tail]);
  found.set(after, [start, next.length - tail]);
}
