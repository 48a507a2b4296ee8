import type { Location, OpenFile, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { readLines } from "../file/read_lines.ts";
import { sniffFile } from "../file/sniff.ts";

/** Lines of a text file, as an editor shows them: without BOM, and with `\n` as line end. */
export interface FileView {
  /** The lines joined by `\n`; empty also without lines. */
  content: string;
  /**
   * Lines in the file; a last line without a line end counts, the empty rest after a last line end does not.
   */
  totalLines: number;
  /** The file ends with a line end, or is empty. */
  endsClosed: boolean;
  /** The content was cut after `maxCharacters`. */
  truncated: boolean;
}

/** What {@linkcode viewFile} shows. */
export interface ViewOptions {
  /** @default 1 */
  firstLine?: number;
  /** Included. @default Infinity */
  lastLine?: number;
  /** Code points to keep. */
  maxCharacters: number;
}

/**
 * Reads a range of lines of a text file of any size; holds only the shown lines.
 *
 * @throws {ToolError} `invalid_input` for a file that is not UTF-8 text
 */
export async function viewFile(
  at: Location,
  options: ViewOptions,
  { files, signal }: ToolContext,
): Promise<FileView> {
  const { firstLine = 1, lastLine = Infinity, maxCharacters } = options;
  using open = await files.open(at.path);
  expectText(open);
  const range = { start: firstLine, end: lastLine, maxChars: maxCharacters };
  const read = await readLines(open.file, range, { signal });
  if (read.invalid) throw notText(at.path, "bytes that are not UTF-8");
  const whole = read.lines.join("\n");
  const next = read.clippedChars > 0 ? null : read.nextStart;
  const content = next === null ? whole : await fillUp(open, { whole, next, maxCharacters, signal });
  const endsClosed = await endsWithLineFeed(open);
  const truncated = read.nextStart !== null || read.clippedChars > 0;
  return { content, totalLines: read.totalLines, endsClosed, truncated };
}

function expectText(open: OpenFile): void {
  const kind = sniffFile(open.file, open.path);
  if (kind.type !== "text") throw notText(open.path, kind.mime);
}

function notText(path: string, what: string): ToolError {
  return new ToolError("invalid_input", `"${path}" is not UTF-8 text: it holds ${what}`);
}

interface Rest {
  whole: string;
  next: number;
  maxCharacters: number;
  signal: AbortSignal;
}

/** Adds the beginning of the line that did not fit as a whole. */
async function fillUp(open: OpenFile, { whole, next, maxCharacters, signal }: Rest): Promise<string> {
  const room = maxCharacters - [...whole].length - 1;
  if (room < 0) return whole;
  if (room === 0) return `${whole}\n`;
  await open.file.seek(0, Deno.SeekMode.Start);
  const { lines } = await readLines(open.file, { start: next, end: next, maxChars: room }, { signal });
  return `${whole}\n${lines[0] ?? ""}`;
}

async function endsWithLineFeed({ file, info }: OpenFile): Promise<boolean> {
  if (info.size === 0) return true;
  await file.seek(-1, Deno.SeekMode.End);
  const last = new Uint8Array(1);
  await file.read(last);
  return last[0] === "\n".charCodeAt(0);
}
