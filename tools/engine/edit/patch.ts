import { ToolError } from "../../../schemas/error.ts";

/** One line of a hunk. */
export interface PatchLine {
  kind: "context" | "delete" | "add";
  text: string;
  /** "\ No newline at end of file" follows it. */
  open: boolean;
}

/** A hunk as written, before it is compared with the file. */
export interface Hunk {
  /** Position in the patch, from 1. */
  number: number;
  /** First old line by the header, from 1; `null` for a header without numbers. */
  oldStart: number | null;
  /** Number of old lines by the header, 1 where it leaves it out; `null` for a header without numbers. */
  oldCount: number | null;
  lines: PatchLine[];
  /** How many of the last lines are empty and without a leading space; they may be only spacing. */
  looseBlanks: number;
}

/** A parsed unified diff. */
export interface Patch {
  hunks: Hunk[];
  /** Names in the file headers, each once, without `a/` and `b/`. */
  files: string[];
  /** The lines of the hunks have CR LF ends of their own, unlike the headers: CR is content then. */
  carriage: boolean;
}

const KINDS: Readonly<Record<string, PatchLine["kind"]>> = { " ": "context", "-": "delete", "+": "add" };
const HUNK_HEADER = /^@@(?=[\s-]|$)(?:\s*-(\d+)(?:,(\d+))?(?:\s+\+\d+(?:,(\d+))?)?)?/;
const ENVELOPE = /^(?:\*\*\* (?:Begin Patch|End Patch|End of File|Update File: )|diff |Index: |```)/;

/** Headers that ask for more than a change of lines, what they ask for, and what does it. */
const BEYOND: readonly (readonly [header: RegExp, asks: string, instead: string])[] = [
  [
    /^(?:deleted file mode |\*\*\* Delete File: )/,
    "deletes the file",
    "remove it with a program, such as rm",
  ],
  [/^(?:new file mode |\*\*\* Add File: )/, "makes a new file", "write the file whole"],
  [
    /^(?:rename (?:from|to) |\*\*\* Move to: )/,
    "renames the file",
    "move it with a program, such as mv, and send the hunks alone",
  ],
  [/^copy (?:from|to) /, "copies the file", "copy it with a program, such as cp, and send the hunks alone"],
  [
    /^(?:old|new) mode /,
    "changes the file's mode",
    "change it with a program, such as chmod, and send the hunks alone",
  ],
  [/^(?:GIT binary patch|Binary files .* differ)/, "changes bytes that are no text", "make the file anew"],
];

/**
 * Parses a unified diff, with the slips that models make: bare `@@` headers, wrong counts, empty context lines without
 * their space, a code fence around it, a missing final line end.
 *
 * @throws {ToolError} `invalid_input` if there is no hunk, a line has no meaning, several files are named, or more than
 * lines of a file is to change
 */
export function parsePatch(source: string): Patch {
  const lines = splitPatch(source);
  const patch: Patch = { hunks: [], files: [], carriage: false };
  for (let at = 0; at < lines.length;) {
    const header = HUNK_HEADER.exec(lineAt(lines, at));
    at = header ? readHunk(lines, at, patch) : readOutside(lines, at, patch);
  }
  if (patch.hunks.length === 0) throw new ToolError("invalid_input", "no patch hunks found");
  if (patch.files.length > 1) {
    const names = patch.files.join(", ");
    const reason =
      `the patch names several files (${names}), and one call edits one file: send a call for each`;
    throw new ToolError("invalid_input", reason, { details: { files: patch.files } });
  }
  patch.carriage = patch.hunks.some((hunk) => hunk.lines.some((line) => line.text.endsWith("\r")));
  return patch;
}

/** Splits into lines; if all of them end with CR, the CR comes from the transport and is not content. */
function splitPatch(source: string): string[] {
  const lines = source.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const full = lines.at(-1)?.endsWith("\r") ? lines : lines.slice(0, -1);
  const travelled = full.length > 0 && full.every((line) => line.endsWith("\r"));
  return travelled ? lines.map((line) => line.replace(/\r$/, "")) : lines;
}

function lineAt(lines: readonly string[], at: number): string {
  return lines[at] ?? "";
}

function isBlank(line: string): boolean {
  return line === "" || line === "\r";
}

/** Reads what stands before, between and after hunks; returns the next position. */
function readOutside(lines: readonly string[], at: number, patch: Patch): number {
  const line = lineAt(lines, at);
  checkHeader(lines, line);
  const update = /^\*\*\* Update File: (.*)$/.exec(line)?.[1];
  if (update !== undefined) noteFile(patch, update);
  if (line.startsWith("--- ") && lineAt(lines, at + 1).startsWith("+++ ")) {
    const [from, to] = [line.slice(4), lineAt(lines, at + 1).slice(4)];
    if (/^\/dev\/null\s*$/.test(to)) throw beyond(BEYOND[0]!);
    if (/^\/dev\/null\s*$/.test(from)) throw beyond(BEYOND[1]!);
    if (isRename(from, to)) throw beyond(BEYOND[2]!);
    noteFile(patch, to);
    return at + 2;
  }
  // After a hunk, another line has cut such a line off from it; before the first hunk, it is prose.
  if (patch.hunks.length > 0 && /^[+-]/.test(line) && !isSignature(lines, at)) throw unsupported(line);
  return at + 1;
}

/** Only in a patch of git or of an envelope such a line is no prose. */
function checkHeader(lines: readonly string[], line: string): void {
  const found = BEYOND.find(([header]) => header.test(line));
  if (found && lines.some((one) => /^(?:diff |\*\*\* (?:Begin|Update|Delete|Add) )/.test(one))) {
    throw beyond(found);
  }
}

function beyond([, asks, instead]: typeof BEYOND[number]): ToolError {
  return new ToolError("invalid_input", `the patch ${asks}, and this changes lines only: ${instead}`);
}

/** Only the names of git's own form are surely those of two files: others may be words such as `original`. */
function isRename(from: string, to: string): boolean {
  const [old, made] = [from, to].map((name) => /^"?[ab]\/(.*?)"?(?:\t.*|\s*)$/.exec(name)?.[1]);
  return from.replace('"', "").startsWith("a/") && to.replace('"', "").startsWith("b/") && old !== made;
}

function noteFile(patch: Patch, written: string): void {
  const name = written.replace(/\t.*$/, "").trim().replace(/^"(.*)"$/, "$1").replace(/^(?:[ab]|\.)\//, "");
  if (!patch.files.includes(name)) patch.files.push(name);
}

/** The dashes above a version number with which `git format-patch` ends. */
function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?\r?$/.test(lineAt(lines, at)) && /^\d+\.\d+/.test(lineAt(lines, at + 1));
}

function unsupported(line: string): ToolError {
  const reason = `unsupported patch line: ${line}\n(lines of a hunk begin with a space, "+" or "-")`;
  return new ToolError("invalid_input", reason, { details: { line } });
}

/** A hunk while it is read. */
interface HunkReader {
  hunk: Hunk;
  /** Empty lines that belong to the hunk if more of it follows. */
  blanks: string[];
  /** How many old and new lines the header still announces; `null` if it has no numbers. */
  left: { old: number; new: number } | null;
}

function readHunk(lines: readonly string[], start: number, patch: Patch): number {
  const [, oldStart, oldCount, newCount] = HUNK_HEADER.exec(lineAt(lines, start)) ?? [];
  const counts = { old: Number(oldCount ?? 1), new: Number(newCount ?? 1) };
  const known = oldStart !== undefined;
  const hunk: Hunk = {
    number: patch.hunks.length + 1,
    oldStart: known ? Number(oldStart) : null,
    oldCount: known ? counts.old : null,
    lines: [],
    looseBlanks: 0,
  };
  const next = readBody(lines, start + 1, { hunk, blanks: [], left: known ? counts : null });
  if (hunk.lines.length === 0) throw new ToolError("invalid_input", `hunk #${hunk.number} has no lines`);
  patch.hunks.push(hunk);
  return next;
}

function readBody(lines: readonly string[], start: number, reader: HunkReader): number {
  let at = start;
  for (; at < lines.length; at++) {
    const line = lineAt(lines, at);
    const done = isComplete(reader);
    if (HUNK_HEADER.test(line) || isFileHeader(lines, at, reader) || (done && isSignature(lines, at))) break;
    const kind = KINDS[line[0] ?? ""];
    if (isBlank(line)) {
      reader.blanks.push(line);
    } else if (kind) {
      addBlanks(reader, reader.blanks);
      reader.blanks = [];
      addLine(reader, { kind, text: line.slice(1), open: false });
    } else if (line.startsWith("\\")) {
      const last = reader.hunk.lines.at(-1);
      if (last) last.open = true;
    } else if (ENVELOPE.test(line)) {
      break;
    } else {
      throw unsupported(line);
    }
  }
  keepAnnouncedBlanks(reader);
  return at;
}

function isComplete({ left, blanks }: HunkReader): boolean {
  return left !== null && left.old <= blanks.length && left.new <= blanks.length;
}

/**
 * Two lines `---` and `+++` before a hunk header name a file, unless the header of this hunk announces just these two:
 * a deleted line that begins with `-- ` and an added one that begins with `++ `.
 */
function isFileHeader(lines: readonly string[], at: number, { left, blanks }: HunkReader): boolean {
  if (!lineAt(lines, at).startsWith("--- ") || !lineAt(lines, at + 1).startsWith("+++ ")) return false;
  const announced = left !== null && left.old - blanks.length === 1 && left.new - blanks.length === 1;
  return HUNK_HEADER.test(lineAt(lines, at + 2)) && !announced;
}

function addLine({ hunk, left }: HunkReader, line: PatchLine): void {
  hunk.lines.push(line);
  if (left && line.kind !== "add") left.old--;
  if (left && line.kind !== "delete") left.new--;
}

function addBlanks(reader: HunkReader, blanks: readonly string[]): void {
  for (const text of blanks) addLine(reader, { kind: "context", text, open: false });
}

/** Empty lines at the end of a hunk belong to it only as far as its header announces them. */
function keepAnnouncedBlanks(reader: HunkReader): void {
  const { hunk, left, blanks } = reader;
  if (left === null) return;
  const announced = blanks.slice(0, Math.max(0, Math.min(left.old, left.new)));
  addBlanks(reader, announced);
  hunk.looseBlanks = announced.length;
}
