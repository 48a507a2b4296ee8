import { extname } from "@std/path";
import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { readWhole } from "../engine/file/read_whole.ts";
import { type OfficeReading, type OfficeRequest, readOffice } from "../engine/office/reading.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { sniff } from "../engine/file/sniff.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { refuseFormat } from "./shared/advise_reader.ts";
import { withLead } from "./shared/lead_error.ts";
import { locateFile } from "./shared/locate_file.ts";

const LEAD = "Error reading document: ";
/** Most characters of one result: more would use up the room's memory. */
const MOST_CHARS = 16 * 1024 * 1024;
const READER_MS = 55_000;
const TABLES: ReadonlySet<string> = new Set([".csv", ".tsv", ".tab"]);

const input = z.object({
  path: z.string().describe("Document path, relative to the workspace or absolute."),
  section: z.int().meta({ minimum: 1 }).optional().describe(
    "Number of the only sheet, slide or notebook cell to read, from 1. Default: all of them.",
  ),
  start_char: z.int().meta({ minimum: 0 }).default(0).describe(
    "Where in the text to begin, from 0: next_start_char of an earlier call.",
  ),
  max_chars: z.int().meta({ minimum: 1 }).default(16_384).describe("Maximum number of characters to return."),
});

const output = z.object({
  path: z.string(),
  source_type: z.enum(["docx", "xlsx", "pptx", "csv", "ipynb"]),
  section_count: z.int(),
  total_chars: z.int(),
  start_char: z.int(),
  truncated: z.boolean(),
  next_start_char: z.int().optional(),
  sections: z.array(z.object({ title: z.string(), start_char: z.int() })),
  content: z.string(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export default defineTool({
  name: "ReadDocument",
  description:
    "Read the text of a local office file, told by content: Word (docx), Excel (xlsx), PowerPoint (pptx), and of csv " +
    "and Jupyter (ipynb) files. Sheets and csv come as a line of column letters, then a line for each row that has values: " +
    "its number and its cells, parted by tabs; formulas without a stored value as =formula. Headings of docx stand after #, " +
    "slides with their speaker notes; links, comments, charts, headers and footers are read, too, and what is left out is " +
    "counted in a warning. Long results are cut: truncated is true then, and next_start_char says where to go " +
    "on.",
  seeAlso: ["Use {ReadPDF} for PDF files.", "Use {ReadImage} for images.", "Use {Read} for text."],
  input,
  output,
  needs: { read: "granted" },
  readOnly: true,
  parallel: false,
  killable: true,
  optional: true,
  examples: [
    { line: "path=report.docx", meaning: "Read a document of Word" },
  ],
  shows: { kind: "text", at: "content" },
  limits: { timeoutMs: 60_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context): Promise<Output> {
    const { real } = await locateFile(context, input.path, { access: "read" });
    const bounds = boundsOf(input, context);
    const reading = await withLead(LEAD, async () => {
      const bytes = await readWhole(context, real, "office");
      const request = { kind: kindOf(bytes, real, context), ...bounds };
      return await readOffice(bytes, request, { context, timeoutMs: READER_MS });
    });
    warnAbout(reading, input, context);
    return outputOf(reading, { path: real, start: input.start_char });
  },
  text: renderOutput,
  errorText: harnessErrorText("ReadDocument", { purpose: "Read access", pathLead: true }),
});

function boundsOf(
  { section, start_char, max_chars }: Input,
  context: ToolContext,
): Omit<OfficeRequest, "kind"> {
  if (section !== undefined && section < 1) throw new ToolError("invalid_input", "section must be >= 1.");
  if (start_char < 0) throw new ToolError("invalid_input", "start_char must be >= 0.");
  if (max_chars <= 0) throw new ToolError("invalid_input", "max_chars must be > 0.");
  if (max_chars > MOST_CHARS) context.warn(`max_chars ${max_chars} was lowered to ${MOST_CHARS}`);
  return {
    startChar: start_char,
    maxChars: Math.min(max_chars, MOST_CHARS),
    ...(section === undefined ? {} : { section }),
  };
}

/** Tells the kind of a file by its content, or for text files by the ending. */
function kindOf(bytes: Uint8Array, path: string, context: ToolContext): OfficeRequest["kind"] {
  const kind = sniff(bytes, path);
  const ending = extname(path).toLowerCase();
  if (kind.type === "office" || ["zip", "ole"].includes(kind.format)) return "office";
  if (bytes.length === 0) throw new ToolError("invalid_input", `The file is empty: ${path}`);
  if (kind.type === "text") {
    if (TABLES.has(ending)) return "csv";
    if (ending === ".ipynb") return "ipynb";
  }
  const details = { path, content_type: kind.type, format: kind.format };
  throw new ToolError("invalid_input", refuseFormat(kind, "ReadDocument", { path, context }), { details });
}

function warnAbout(reading: OfficeReading, { path, start_char }: Input, context: ToolContext): void {
  for (const note of reading.notes) context.warn(note);
  if (reading.totalChars === 0) context.warn(`"${path}" holds no text`);
  else if (start_char >= reading.totalChars) {
    context.warn(`start_char ${start_char} is past the end: the text has ${reading.totalChars} characters`);
  }
}

function outputOf(reading: OfficeReading, { path, start }: { path: string; start: number }): Output {
  const end = start + reading.content.length;
  const truncated = end < reading.totalChars;
  return {
    path,
    source_type: reading.format,
    section_count: reading.sectionCount,
    total_chars: reading.totalChars,
    start_char: start,
    truncated,
    ...(truncated ? { next_start_char: end } : {}),
    sections: reading.sections.map(({ title, startChar }) => ({ title, start_char: startChar })),
    content: reading.content,
  };
}

function renderOutput({ path, sections, content, ...facts }: Output): string {
  const lines = Object.entries({ path: oneLine(path), ...facts }).map(([name, value]) => `${name}: ${value}`);
  // They are headings in the content; the list is for finding what was cut off.
  if (facts.truncated && sections.length > 1) {
    lines.push(
      "sections:",
      ...sections.map(({ title, start_char }) => `${title} (start_char ${start_char})`),
    );
  }
  return [...lines, "content:", content].join("\n");
}
