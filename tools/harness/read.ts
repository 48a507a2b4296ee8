import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ContentKind } from "../../schemas/first_bytes.ts";
import { defineTool } from "../../schemas/tool.ts";
import { oneLine } from "../engine/file/one_line.ts";
import type { LineRange } from "../engine/file/read_lines.ts";
import { readTextLines, type TextLines, warnAboutEncoding } from "../engine/file/read_text_lines.ts";
import { sniffFile } from "../engine/file/sniff.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { refuseFormat } from "./shared/advise_reader.ts";
import { withLead } from "./shared/lead_error.ts";
import { locateFile } from "./shared/locate_file.ts";
import { countOf } from "../engine/summary.ts";

const LEAD = "Error reading file: ";
const DEFAULT_MAX_CHARS = 16_384;
/** Most characters of one result: more would use up the room's memory. */
const MOST_CHARS = 16 * 1024 * 1024;

const input = z.object({
  path: z.string().describe("File path, relative to the workspace or absolute."),
  start_line: z.int().meta({ minimum: 1 }).default(1).describe("First line to read, from 1."),
  end_line: z.int().meta({ minimum: 1 }).optional().describe(
    "Last line to read, included. Default: the last line of the file.",
  ),
  start_char: z.int().meta({ minimum: 0 }).default(0).describe(
    "Where in the first line to begin, from 0: next_start_char of an earlier call, which ended inside a long line.",
  ),
  max_chars: z.int().meta({ minimum: 1 }).default(DEFAULT_MAX_CHARS).describe(
    "Maximum number of characters to return.",
  ),
});

const output = z.object({
  path: z.string(),
  source_type: z.literal("text"),
  start_line: z.int(),
  end_line: z.int(),
  total_lines: z.int(),
  truncated: z.boolean(),
  next_start_line: z.int().optional(),
  next_start_char: z.int().optional(),
  content: z.string(),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "Read",
  description:
    "Read a local text file, the whole of it or a range of lines. Lines are counted from 1, at line feeds; " +
    "the content comes without line numbers. Long results are cut at a whole line: truncated is true then, and " +
    "next_start_line says where to go on, with next_start_char in a line that is longer than a result.",
  seeAlso: [
    "Use {ReadPDF} for PDF files.",
    "Use {ReadImage} for images.",
    "Use {ReadDocument} for office files.",
  ],
  input,
  output,
  readsOn: "path={path} start_line={line}",
  needs: { read: "granted" },
  readOnly: true,
  parallel: true,
  examples: [
    { line: "README.md", meaning: "Read a file" },
    { line: "src/cart.ts start_line=1 end_line=20", meaning: "Read a part of it" },
  ],
  shows: { kind: "text", at: "content" },
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context): Promise<z.output<typeof output>> {
    const { real } = await locateFile(context, input.path, { access: "read" });
    using open = await withLead(LEAD, () => context.files.open(real));
    const kind = await withLead(LEAD, () => sniffFile(open.file, real));
    requireText(kind, { path: real, context });
    const range = rangeOf(input, context);
    const options = { isWide: kind.format !== "", signal: context.signal };
    const read = await withLead(LEAD, () => readTextLines(open.file, range, options));
    warnAbout(read, input, context);
    return {
      path: real,
      source_type: "text",
      start_line: input.start_line,
      end_line: input.end_line ?? read.totalLines,
      total_lines: read.totalLines,
      truncated: read.nextStart !== null || read.clippedChars > 0,
      ...(read.nextStart === null ? {} : { next_start_line: read.nextStart }),
      ...(read.clippedChars > 0 ? { next_start_char: range.startChar + range.maxChars } : {}),
      content: contentOf(read),
    };
  },
  summary: ({ start_line, end_line, total_lines }) =>
    end_line < start_line
      ? `no lines of ${total_lines}`
      : start_line === 1 && end_line === total_lines
      ? countOf(total_lines, "line", "lines")
      : `lines ${start_line}–${end_line} of ${total_lines}`,
  text: ({ content, ...facts }) => {
    const lines = Object.entries({ ...facts, path: oneLine(facts.path) }).map(([name, value]) =>
      `${name}: ${value}`
    );
    return [...lines, "content:", content].join("\n");
  },
  errorText: harnessErrorText("Read", { purpose: "Read access", pathLead: true }),
});

function requireText(kind: ContentKind, file: { path: string; context: ToolContext }): void {
  if (kind.type === "text") return;
  throw new ToolError("invalid_input", refuseFormat(kind, "Read", file), {
    details: { path: file.path, content_type: kind.type, format: kind.format },
  });
}

function rangeOf(
  { start_line, end_line, start_char, max_chars }: Input,
  context: ToolContext,
): Required<LineRange> {
  if (start_line < 1) throw new ToolError("invalid_input", "start_line must be >= 1.");
  if (end_line !== undefined && end_line < start_line) {
    throw new ToolError("invalid_input", "end_line must be >= start_line.");
  }
  if (start_char < 0) throw new ToolError("invalid_input", "start_char must be >= 0.");
  if (max_chars <= 0) throw new ToolError("invalid_input", "max_chars must be > 0.");
  if (max_chars > MOST_CHARS) context.warn(`max_chars ${max_chars} was lowered to ${MOST_CHARS}`);
  const maxChars = Math.min(max_chars, MOST_CHARS);
  return { start: start_line, end: end_line ?? Infinity, startChar: start_char, maxChars };
}

function warnAbout(read: TextLines, { path, start_line, start_char }: Input, context: ToolContext): void {
  if (start_line > Math.max(1, read.totalLines)) {
    context.warn(`start_line ${start_line} is past the end: "${path}" has ${read.totalLines} lines`);
  } else if (start_char > 0 && read.lines[0] === "") {
    context.warn(`start_char ${start_char} is past the end of line ${start_line}`);
  }
  warnAboutEncoding(read, path, context);
}

function contentOf({ lines, clippedChars }: TextLines): string {
  const content = lines.join("\n");
  return clippedChars > 0 ? `${content}… [${clippedChars} more characters in this line]` : content;
}
