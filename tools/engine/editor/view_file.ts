import type { Location, OpenFile, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ContentKind } from "../../../schemas/first_bytes.ts";
import { readTextLines, type TextLines, warnAboutEncoding } from "../file/read_text_lines.ts";
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
  context: ToolContext,
): Promise<FileView> {
  const { files, signal } = context;
  const { firstLine = 1, lastLine = Infinity, maxCharacters } = options;
  using open = await files.open(at.path);
  const isWide = expectText(open).format !== "";
  const range = { start: firstLine, end: lastLine, maxChars: maxCharacters };
  const read = await readTextLines(open.file, range, { isWide, signal });
  if (read.invalid) throw notText(at.path, `bytes that are not UTF-8${mayBe(read)}`);
  warnAboutEncoding(read, at.path, context);
  const whole = read.lines.join("\n");
  const next = read.clippedChars > 0 ? null : read.nextStart;
  const content = next === null ? whole : await fillUp(open, { whole, next, maxCharacters, isWide, signal });
  const truncated = read.nextStart !== null || read.clippedChars > 0;
  return { content, totalLines: read.totalLines, endsClosed: read.endsClosed, truncated };
}

function expectText(open: OpenFile): ContentKind {
  const kind = sniffFile(open.file, open.path);
  if (kind.type !== "text") throw notText(open.path, kind.mime);
  return kind;
}

function mayBe({ likely }: TextLines): string {
  return likely.length === 0
    ? ""
    : ` and may be ${likely.join(" or ")}; convert it first, with iconv in Bash`;
}

function notText(path: string, what: string): ToolError {
  return new ToolError("invalid_input", `"${path}" is not UTF-8 text: it holds ${what}`);
}

interface Rest {
  whole: string;
  next: number;
  maxCharacters: number;
  isWide: boolean;
  signal: AbortSignal;
}

/** Adds the beginning of the line that did not fit as a whole. */
async function fillUp(open: OpenFile, { whole, next, maxCharacters, isWide, signal }: Rest): Promise<string> {
  const room = maxCharacters - [...whole].length - 1;
  if (room < 0) return whole;
  if (room === 0) return `${whole}\n`;
  await open.file.seek(0, Deno.SeekMode.Start);
  const range = { start: next, end: next, maxChars: room };
  const { lines } = await readTextLines(open.file, range, { isWide, signal });
  return `${whole}\n${lines[0] ?? ""}`;
}
