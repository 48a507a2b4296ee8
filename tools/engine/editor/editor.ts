import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { notThere } from "../edit/explain_missing.ts";
import { editAgain, isChanged } from "../file/edit_again.ts";
import {
  encodeText,
  lineEnding,
  lineNumberAt,
  loadText,
  saveText,
  type TextChange,
  type TextFile,
  warnAboutCodec,
} from "../file/text_file.ts";
import type { EditorDialect } from "./dialect.ts";
import { findText, type Found } from "./find_text.ts";
import { dropLastEdit, hashText, lastEdit, recordEdit, type Reversal } from "./history.ts";
import { bomLength, countLineEnds, offsetOfLine } from "./lines.ts";
import { restoreTabs } from "./tabs.ts";

/** What every command works with. */
export interface EditorCall {
  context: ToolContext;
  dialect: EditorDialect;
}

/** A file after an edit. */
export interface Edited {
  /** The whole text, as it is on disk. */
  text: string;
  /** 1-based line in which the edit begins. */
  line: number;
}

/** A file after undo: its text, or `null` if the file was removed because the undone edit had created it. */
export interface Undone {
  text: string | null;
}

/**
 * Creates a file with exactly this text.
 *
 * @throws {ToolError} `conflict` if anything is there, `not_found` without a parent folder
 */
export async function createFile(
  at: Location,
  text: string,
  { context, dialect }: EditorCall,
): Promise<void> {
  const { failures, createDirs } = dialect;
  if (at.info) throw new ToolError("conflict", failures.exists(at.path));
  try {
    await context.files.write(at.path, encodeText(text, at), { createDirs, mustNotExist: true });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "permission_denied") throw error;
    if (error.code === "conflict") throw reworded(error, failures.exists(at.path));
    if (error.code === "not_found") throw reworded(error, failures.noParent(at.path));
    throw reworded(error, failures.unwritable(at.path, error.message));
  }
  await remember({ path: at.real, text, reversal: null }, { context, dialect });
}

/** What {@linkcode replaceText} replaces. */
export interface Replacement {
  /** Must occur exactly once; `\n` also matches CRLF. */
  oldText: string;
  /** Gets the file's line ends, unless `oldText` spells out its own. */
  newText: string;
}

/**
 * Replaces the only occurrence of a text.
 *
 * @throws {ToolError} `not_found` if it does not occur, `conflict` with `details.lines` if it occurs several times
 */
export async function replaceText(at: Location, replacement: Replacement, call: EditorCall): Promise<Edited> {
  return await editAgain(call.context.signal, () => replaceOnce(at, replacement, call));
}

async function replaceOnce(at: Location, replacement: Replacement, call: EditorCall): Promise<Edited> {
  const { oldText, newText } = replacement;
  const { failures, showsTabsAsSpaces } = call.dialect;
  const file = await readEditable(at, call);
  const { text } = file;
  const found = findText(text, oldText, { expandTabs: showsTabsAsSpaces });
  if (!found.first) throw notThere(text, oldText, failures.noMatch(at.path, oldText));
  if (found.count > 1) {
    const details = { matches: found.count, lines: found.lines };
    throw new ToolError("conflict", failures.severalMatches(found, oldText), { details });
  }
  const { start, end } = found.first;
  const adapted = withTabsOf(text, newText, found);
  const inserted = oldText.includes("\r") ? adapted : withLineEndsOf(text, adapted);
  return await splice(at, { file, start, end, inserted }, call);
}

function withTabsOf(text: string, newText: string, { first, expandedFrom }: Found): string {
  if (!first || expandedFrom === null) return newText;
  const fromLineStart = first.start === bomLength(text) || text[first.start - 1] === "\n";
  return restoreTabs(newText, expandedFrom, { fromLineStart });
}

function withLineEndsOf(text: string, inserted: string): string {
  return lineEnding(text) === "\n" ? inserted : inserted.replace(/(?<!\r)\n/g, "\r\n");
}

/** What {@linkcode insertText} inserts. */
export interface Insertion {
  /** 1-based line after which the text goes; 0 is the top. */
  line: number;
  newText: string;
}

/**
 * Inserts whole lines after a line.
 *
 * @throws {ToolError} `invalid_input` if the file has no such line
 */
export async function insertText(at: Location, insertion: Insertion, call: EditorCall): Promise<Edited> {
  return await editAgain(call.context.signal, () => insertOnce(at, insertion, call));
}

async function insertOnce(at: Location, insertion: Insertion, call: EditorCall): Promise<Edited> {
  const file = await readEditable(at, call);
  const { text } = file;
  const { line, newText } = insertion;
  const lastLine = lastLineOf(text, call.dialect);
  if (line < 0 || line > lastLine) {
    throw new ToolError("invalid_input", call.dialect.failures.badLine(line, lastLine));
  }
  const start = line === 0 ? bomLength(text) : offsetOfLine(text, line + 1);
  const adapted = withLineEndsOf(text, newText);
  const inserted = call.dialect.countsFinalLine
    ? asSplitLines(adapted, { lineEnd: lineEnding(text), atEnd: line === lastLine })
    : asEndedLines(adapted, { lineEnd: lineEnding(text), afterOpenLine: isOpenLine(text, start) });
  const edited = await splice(at, { file, start, end: start, inserted }, call);
  return { text: edited.text, line: line + 1 };
}

function lastLineOf(text: string, { countsFinalLine }: EditorDialect): number {
  const lineEnds = countLineEnds(text);
  return countsFinalLine || (text.length > bomLength(text) && !text.endsWith("\n")) ? lineEnds + 1 : lineEnds;
}

function asSplitLines(newText: string, place: { lineEnd: string; atEnd: boolean }): string {
  return place.atEnd ? place.lineEnd + newText : newText + place.lineEnd;
}

function asEndedLines(newText: string, place: { lineEnd: string; afterOpenLine: boolean }): string {
  const ended = newText.endsWith("\n") ? newText : newText + place.lineEnd;
  return place.afterOpenLine ? place.lineEnd + ended : ended;
}

/** Says whether the text before the offset is a line that lacks its line end. */
function isOpenLine(text: string, offset: number): boolean {
  return offset > bomLength(text) && text[offset - 1] !== "\n";
}

/**
 * Takes back the session's last edit of a file.
 *
 * @throws {ToolError} `not_found` if there is no edit, `conflict` if the file has changed since that edit
 */
export async function undoEdit(at: Location, call: EditorCall): Promise<Undone> {
  const { context, dialect } = call;
  const edit = await lastEdit(context.session, at.real);
  if (!edit) throw new ToolError("not_found", dialect.failures.noHistory(at.path));
  const removed = edit.reversal === null && at.info === null;
  const file = removed ? null : await readUnchanged(at, edit.after, context);
  const before = file === null || edit.reversal === null ? null : reverse(file.text, edit.reversal);
  if (file !== null && before !== null) {
    await write(at, { from: file, to: before }, call).catch(changedSince(at));
  } else if (!removed) await context.files.remove(at.path);
  await dropLastEdit(context.session, at.real);
  return { text: before };
}

async function readUnchanged(at: Location, hash: string, { files }: ToolContext): Promise<TextFile> {
  const file = await loadText(files, at.path).catch((error: unknown) => {
    if (error instanceof ToolError && error.code !== "permission_denied") return null;
    throw error;
  });
  if (file !== null && await hashText(file.text) === hash) return file;
  throw notUnchanged(at);
}

function notUnchanged({ path }: Location): ToolError {
  const message =
    `Cannot undo the last edit of "${path}": the file was changed or removed since by something ` +
    "else, view it and edit it by hand";
  return new ToolError("conflict", message);
}

function changedSince(at: Location): (error: unknown) => never {
  return (error) => {
    throw isChanged(error) ? notUnchanged(at) : error;
  };
}

function reverse(text: string, { at, removed, added }: Reversal): string {
  return text.slice(0, at) + removed + text.slice(at + added);
}

async function readEditable(at: Location, { context, dialect }: EditorCall): Promise<TextFile> {
  try {
    return await loadText(context.files, at.path);
  } catch (error) {
    if (isChanged(error)) throw error;
    if (!(error instanceof ToolError) || error.code === "permission_denied") throw error;
    throw reworded(error, dialect.failures.unreadable(at.path, error.message));
  }
}

interface Change {
  file: TextFile;
  start: number;
  end: number;
  inserted: string;
}

async function splice(at: Location, change: Change, call: EditorCall): Promise<Edited> {
  const { file, start, end, inserted } = change;
  const { text } = file;
  const edited = text.slice(0, start) + inserted + text.slice(end);
  await write(at, { from: file, to: edited }, call);
  warnAboutCodec(file, at.path, call.context.warn);
  const reversal = { at: start, removed: text.slice(start, end), added: inserted.length };
  await remember({ path: at.real, text: edited, reversal }, call);
  return { text: edited, line: lineNumberAt(edited, start) };
}

async function write(at: Location, change: TextChange, { context, dialect }: EditorCall): Promise<void> {
  try {
    await saveText(context.files, at.path, change);
  } catch (error) {
    if (isChanged(error)) throw error;
    if (!(error instanceof ToolError) || error.code === "permission_denied") throw error;
    throw reworded(error, dialect.failures.unwritable(at.path, error.message));
  }
}

async function remember(
  edit: { path: string; text: string; reversal: Reversal | null },
  { context, dialect }: EditorCall,
): Promise<void> {
  const { path, text, reversal } = edit;
  const past = { path, after: await hashText(text), reversal };
  const lead = "undo_edit will not take this edit back: ";
  try {
    const kept = await recordEdit(context.session, past, { levels: dialect.undoLevels });
    if (!kept) context.warn(`${lead}it removed more text than the history holds`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The file is already written: after an error the caller would edit it again.
    context.warn(lead + error.message);
  }
}

function reworded({ code, details, cause }: ToolError, message: string): ToolError {
  return new ToolError(code, message, { details, cause });
}
