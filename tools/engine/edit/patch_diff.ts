/** A line of a text and of its successor. */
export interface DiffLine {
  kind: "context" | "delete" | "add";
  text: string;
  /** What ends the line; "" for a last line without a line end. */
  end: string;
}

/** Bounds of {@linkcode formatDiff}. */
export interface DiffOptions {
  /** Unchanged lines around a change. @default 2 */
  context?: number;
  /** @default 60 */
  maxLines?: number;
  /** Longest line, in UTF-16 units. @default 200 */
  maxLineChars?: number;
}

const PREFIX = { context: " ", delete: "-", add: "+" } as const;

/** Formats the changes among all lines of a text as a unified diff, clipped so that it is short. */
export function formatDiff(lines: readonly DiffLine[], options: DiffOptions = {}): string {
  const { context = 2, maxLines = 60, maxLineChars = 200 } = options;
  const shown: string[] = [];
  let [from, oldLine, newLine] = [0, 1, 1];
  for (const [start, end] of changedRanges(lines, context)) {
    const skipped = countSides(lines.slice(from, start));
    oldLine += skipped.old;
    newLine += skipped.new;
    const range = lines.slice(start, end);
    const size = countSides(range);
    shown.push(`@@ -${side(oldLine, size.old)} +${side(newLine, size.new)} @@`);
    for (const line of range) shown.push(...formatLine(line, maxLineChars));
    [from, oldLine, newLine] = [end, oldLine + size.old, newLine + size.new];
  }
  if (shown.length <= maxLines) return shown.join("\n");
  return [...shown.slice(0, maxLines), `… ${shown.length - maxLines} more lines of this diff`].join("\n");
}

/** Ranges of lines with a change and its context; those that touch are one. */
function changedRanges(lines: readonly DiffLine[], context: number): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const [at, line] of lines.entries()) {
    if (line.kind === "context") continue;
    const start = Math.max(0, at - context);
    const end = Math.min(lines.length, at + context + 1);
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}

function countSides(lines: readonly DiffLine[]): { old: number; new: number } {
  const added = lines.filter((line) => line.kind === "add").length;
  const deleted = lines.filter((line) => line.kind === "delete").length;
  return { old: lines.length - added, new: lines.length - deleted };
}

/** Start and length as a hunk header has them: a side without lines names the line before it. */
function side(start: number, count: number): string {
  return count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
}

function formatLine({ kind, text, end }: DiffLine, maxChars: number): string[] {
  const content = text.endsWith("\r") ? text.slice(0, -1) : text;
  const clipped = content.length > maxChars ? `${content.slice(0, maxChars)}…` : content;
  const line = PREFIX[kind] + clipped;
  return end === "" ? [line, "\\ No newline at end of file"] : [line];
}
