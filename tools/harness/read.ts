import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ContentKind } from "../../schemas/first_bytes.ts";
import { defineTool } from "../../schemas/tool.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { type LineRange, type LinesRead, readLines } from "../engine/file/read_lines.ts";
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
  content: z.string(),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "Read",
  description:
    "Read a local text file, the whole of it or a range of lines. Lines are counted from 1, at line feeds; " +
    "the content comes without line numbers. Long results are cut at a whole line: truncated is true then, and " +
    "next_start_line says where to go on.",
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
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context): Promise<z.output<typeof output>> {
    const { real } = await locateFile(context, input.path, { access: "read" });
    using open = await withLead(LEAD, () => context.files.open(real));
    requireText(await withLead(LEAD, () => sniffFile(open.file, real)), { path: real, context });
    const range = rangeOf(input, context);
    const read = await withLead(LEAD, () => readLines(open.file, range, { signal: context.signal }));
    warnAbout(read, { path: input.path, start: input.start_line }, context);
    return {
      path: real,
      source_type: "text",
      start_line: input.start_line,
      end_line: input.end_line ?? read.totalLines,
      total_lines: read.totalLines,
      truncated: read.nextStart !== null || read.clippedChars > 0,
      ...(read.nextStart === null ? {} : { next_start_line: read.nextStart }),
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

function rangeOf({ start_line, end_line, max_chars }: Input, context: ToolContext): LineRange {
  if (start_line < 1) throw new ToolError("invalid_input", "start_line must be >= 1.");
  if (end_line !== undefined && end_line < start_line) {
    throw new ToolError("invalid_input", "end_line must be >= start_line.");
  }
  if (max_chars <= 0) throw new ToolError("invalid_input", "max_chars must be > 0.");
  if (max_chars > MOST_CHARS) context.warn(`max_chars ${max_chars} was lowered to ${MOST_CHARS}`);
  return { start: start_line, end: end_line ?? Infinity, maxChars: Math.min(max_chars, MOST_CHARS) };
}

function warnAbout(read: LinesRead, asked: { path: string; start: number }, context: ToolContext): void {
  if (asked.start > Math.max(1, read.totalLines)) {
    context.warn(`start_line ${asked.start} is past the end: "${asked.path}" has ${read.totalLines} lines`);
  }
  if (read.invalid) {
    context.warn(`"${asked.path}" holds bytes that are not valid UTF-8, shown as U+FFFD`);
  }
}

function contentOf({ lines, clippedChars }: LinesRead): string {
  const content = lines.join("\n");
  return clippedChars > 0 ? `${content}… [${clippedChars} more characters in this line]` : content;
}
