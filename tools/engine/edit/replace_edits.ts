import { ToolError } from "../../../schemas/error.ts";
import { explainMissing } from "./explain_missing.ts";
import { lineEnding, lineNumberAt } from "../file/text_file.ts";

/** An exact text and what takes its place. */
export interface Replacement {
  old: string;
  new: string;
}

/** An edit whose old text stands in several places. */
export interface RepeatedEdit {
  /** Index of the edit. */
  edit: number;
  /** Line of the replaced occurrence, from 1. */
  line: number;
  /** Lines of the first of the others. */
  otherLines: number[];
}

/** A text after its edits. */
export interface Replaced {
  text: string;
  repeated: RepeatedEdit[];
}

/** The chosen occurrence of an edit, in the original text. */
interface Span {
  edit: number;
  start: number;
  end: number;
  replacement: string;
}

const MAX_OTHER_LINES = 10;

/**
 * Replaces the first occurrence of every old text, all found in the original text; new texts are taken
 * literally. It adapts the line ends of old and new texts to those of the text.
 *
 * @throws {ToolError} `invalid_input` for an old text that is empty or not there, and for overlapping occurrences
 */
export function replaceEdits(text: string, edits: readonly Replacement[]): Replaced {
  const finder = createFinder(text);
  const found = edits.map((edit, at) => findEdit(finder, edit, at));
  const spans = found.map(({ span }) => span).sort((a, b) => a.start - b.start);
  refuseOverlaps(text, spans);
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of spans) {
    pieces.push(text.slice(from, start), replacement);
    from = end;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), repeated: found.flatMap(({ repeated }) => repeated) };
}

/** Searches a text as it is and, where that fails, with every line end taken as LF. */
interface Finder {
  text: string;
  usual: "\n" | "\r\n";
  plain: string;
  /** Indexes in `plain` of the line ends before which a CR was dropped. */
  dropped: readonly number[];
}

function createFinder(text: string): Finder {
  const dropped: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) {
    dropped.push(at - dropped.length);
  }
  return { text, usual: lineEnding(text), plain: text.replaceAll("\r\n", "\n"), dropped };
}

/** Turns an index of the plain text into one of the text; `after` puts it behind a CR that was dropped there. */
function toOriginal({ dropped }: Finder, index: number): number {
  let [low, high] = [0, dropped.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (dropped[middle]! < index) low = middle + 1;
    else high = middle;
  }
  return index + low;
}

function findEdit(finder: Finder, edit: Replacement, at: number): { span: Span; repeated: RepeatedEdit[] } {
  if (edit.old === "") {
    throw new ToolError("invalid_input", `edits[${at}]: "old" is empty, give the exact text to replace`);
  }
  const ranges = findAll(finder, edit.old);
  const [first, ...others] = ranges;
  if (!first) throw missing(finder, edit, at);
  const [start, end] = first;
  const span = { edit: at, start, end, replacement: fitLineEnds(finder, edit, first) };
  if (others.length === 0) return { span, repeated: [] };
  const otherLines = others.map(([other]) => lineNumberAt(finder.text, other));
  return { span, repeated: [{ edit: at, line: lineNumberAt(finder.text, start), otherLines }] };
}

/** First occurrences, as ranges of the text. */
function findAll(finder: Finder, old: string): [start: number, end: number][] {
  const exact = occurrences(finder.text, old).map((at): [number, number] => {
    // An old text that begins with LF means the whole line end, and must not leave its CR behind.
    const splitsEnd = old.startsWith("\n") && finder.text[at - 1] === "\r";
    return [splitsEnd ? at - 1 : at, at + old.length];
  });
  if (exact.length > 0 || !old.includes("\n")) return exact;
  const plain = old.replaceAll("\r\n", "\n");
  return occurrences(finder.plain, plain)
    .map((at) => [toOriginal(finder, at), toOriginal(finder, at + plain.length)]);
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    found.push(at);
    if (found.length > MAX_OTHER_LINES) break;
  }
  return found;
}

/**
 * Gives the line ends of a new text those of the lines that it replaces; a new text with its own CR stays as
 * it is.
 */
function fitLineEnds(finder: Finder, edit: Replacement, [start, end]: [number, number]): string {
  const replaced = finder.text.slice(start, end);
  const explicit = edit.old.includes("\r") ? replaced === edit.old : edit.new.includes("\r");
  if (explicit) return edit.new;
  const ends = replaced.match(/\r?\n/g) ?? [lineEndAt(finder, start)];
  let next = 0;
  return edit.new.replace(/\r?\n/g, () => ends[Math.min(next++, ends.length - 1)] ?? finder.usual);
}

/** The end of the line at an index; for a last line without an end, that of the line before. */
function lineEndAt({ text, usual }: Finder, index: number): string {
  const at = text.indexOf("\n", index);
  if (at < 0) return usual;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

function missing({ plain }: Finder, edit: Replacement, at: number): ToolError {
  const block = edit.old.replaceAll("\r\n", "\n").split("\n");
  const { candidates, note } = explainMissing(plain.split("\n"), block);
  const reason = `edits[${at}]: "old" is not an exact part of the file. ${note}`;
  return new ToolError("invalid_input", reason, { details: { edit: at, candidates } });
}

function refuseOverlaps(text: string, spans: readonly Span[]): void {
  for (const [at, span] of spans.entries()) {
    const next = spans[at + 1];
    if (!next || next.start >= span.end) continue;
    const edits = [span.edit, next.edit].sort((a, b) => a - b);
    const line = lineNumberAt(text, next.start);
    const reason = `Overlapping edits: edits[${edits[0]}] and edits[${edits[1]}] both change line ${line}, ` +
      `make them one edit or give each more context`;
    throw new ToolError("invalid_input", reason, { details: { edits, line } });
  }
}
