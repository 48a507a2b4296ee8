import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import type { ContentKind } from "../../schemas/first_bytes.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { findReading, keepReading, readingKey } from "../engine/pdf/cache.ts";
import { boundClaimedPages } from "../engine/pdf/pdfium/page_claim.ts";
import { parsePageRanges } from "../engine/pdf/page_ranges.ts";
import { type PdfReading, pdfReading, type PdfRequest } from "../engine/pdf/reading.ts";
import { readWhole } from "../engine/file/read_whole.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { sniff } from "../engine/file/sniff.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { adviseReader } from "./shared/advise_reader.ts";
import { withLead } from "./shared/lead_error.ts";
import { locateFile } from "./shared/locate_file.ts";
import { countOf } from "../engine/summary.ts";

const LEAD = "Error reading PDF: ";
const TIMEOUT = "READPDF_TIMEOUT_SECONDS";
const DEFAULT_TIMEOUT_SECONDS = 300;
const HOUR_MS = 3_600_000;
/** Part of the call's time that is kept for returning the result. */
const MARGIN_MS = 250;
const INTEGERS = "max_chars and max_image_paths must be integers.";
/** Most characters of one result: more would use up the room's memory. */
const MOST_CHARS = 16 * 1024 * 1024;
const MOST_IMAGES = 500;
/** A PDF may have other bytes before its header. */
const HEADER_WITHIN = 1024;

const input = z.object({
  path: z.string().describe("PDF file path, relative to the workspace or absolute."),
  max_chars: z.int({ error: INTEGERS }).meta({ minimum: 1 }).default(16_384).describe(
    "Maximum number of characters of text to return.",
  ),
  max_image_paths: z.int({ error: INTEGERS }).meta({ minimum: 1 }).default(20).describe(
    "Maximum number of embedded images to write to files and list.",
  ),
  pages: z.string().optional().describe(
    'Pages to read, from 1, such as "1-3,7" or "10-". Default: all pages.',
  ),
  password: z.string().optional().describe("Password, if the PDF is encrypted."),
  render_pages: z.string().optional().describe(
    'Pages to draw as PNG files, such as "2" or "1-3": for scans, charts and formulas. Default: none.',
  ),
});

const output = z.object({
  path: z.string(),
  source_type: z.literal("pdf"),
  total_lines: z.int(),
  truncated: z.boolean(),
  image_count: z.int(),
  image_paths_listed: z.int(),
  image_paths_truncated: z.boolean(),
  page_count: z.int(),
  metadata: z.record(z.string(), z.string()),
  pages_without_text: z.array(z.int()),
  rendered_pages: z.array(z.object({ page: z.int(), path: z.string() })),
  image_paths: z.array(z.string()),
  content: z.string(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export default defineTool({
  name: "ReadPDF",
  description:
    "Read a local PDF: its text page by page in reading order (pages are separated by a form feed), with its embedded " +
    "images written to files and listed. Pages without a text layer, such as scans, are named: draw them with " +
    "render_pages.",
  seeAlso: ["For figures, read the PDF first, then use {ReadImage} on the listed image or drawn page."],
  input,
  output,
  promptHints: [
    "Read PDF files with {ReadPDF}.",
  ],
  needs: { read: "granted" },
  readOnly: true,
  parallel: false,
  killable: true,
  leavesFiles: true,
  settings: [TIMEOUT],
  examples: [
    { line: "path=manual.pdf pages=1-2", meaning: "Read the first pages" },
  ],
  shows: { kind: "text", at: "content" },
  limits: { timeoutMs: HOUR_MS },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context): Promise<Output> {
    const { real } = await locateFile(context, input.path, { access: "read" });
    const bytes = await withLead(LEAD, () => readWhole(context, real, "pdf"));
    requirePdf(bytes, real, context);
    const request = requestOf(input, context);
    const timeoutMs = timeoutOf(context);
    const reading = await withLead(LEAD, () => {
      boundClaimedPages(bytes);
      return cached({ bytes, request, timeoutMs, path: real }, context);
    });
    for (const note of reading.notes) context.warn(note);
    return outputOf(reading, real);
  },
  summary: ({ page_count, image_count, total_lines, truncated }) =>
    [
      countOf(page_count, "page", "pages"),
      `${countOf(total_lines, "line", "lines")}${truncated ? ", cut" : ""}`,
      ...image_count > 0 ? [countOf(image_count, "picture", "pictures")] : [],
    ].join(", "),
  text: renderOutput,
  errorText: harnessErrorText("ReadPDF", { purpose: "Read access", pathLead: true }),
});

function requirePdf(bytes: Uint8Array, path: string, context: ToolContext): void {
  const head = String.fromCharCode(...bytes.subarray(0, HEADER_WITHIN));
  if (head.includes("%PDF-")) return;
  const kind = sniff(bytes, path);
  const { type, format } = kind;
  const reason = bytes.length === 0 ? "it is empty" : reasonOf(kind, adviseReader(kind, context));
  throw new ToolError(
    "invalid_input",
    `File is not a PDF: ${path} (${reason})`,
    {
      details: { path, content_type: type, format },
    },
  );
}

function reasonOf({ type, format }: ContentKind, advice: string): string {
  const what = type === "text" ? "text" : format === "" ? "other bytes" : format.toUpperCase();
  const image = type === "image" ? `a ${what} image` : what;
  return advice === ""
    ? `it holds ${image}`
    : `it holds ${image}, ${advice[0]!.toLowerCase()}${advice.slice(1)}`;
}

function requestOf(input: Input, context: ToolContext): PdfRequest {
  const { max_chars, max_image_paths, pages, password, render_pages } = input;
  if (max_chars <= 0) throw new ToolError("invalid_input", "max_chars must be > 0.");
  if (max_image_paths <= 0) throw new ToolError("invalid_input", "max_image_paths must be > 0.");
  if (pages !== undefined) parsePageRanges({ name: "pages", list: pages });
  if (render_pages !== undefined) parsePageRanges({ name: "render_pages", list: render_pages });
  return {
    maxChars: lower("max_chars", max_chars, { most: MOST_CHARS, context }),
    maxImages: lower("max_image_paths", max_image_paths, { most: MOST_IMAGES, context }),
    ...(pages === undefined ? {} : { pages }),
    ...(password === undefined ? {} : { password }),
    ...(render_pages === undefined ? {} : { renderPages: render_pages }),
  };
}

function lower(
  name: string,
  value: number,
  { most, context }: { most: number; context: ToolContext },
): number {
  if (value > most) context.warn(`${name} ${value} was lowered to ${most}`);
  return Math.min(value, most);
}

function timeoutOf({ settings }: ToolContext): number {
  const value = settings[TIMEOUT]?.trim() || String(DEFAULT_TIMEOUT_SECONDS);
  const seconds = Number(value);
  if (!(seconds > 0)) {
    throw new ToolError("configuration", `${TIMEOUT} must be > 0.`, {
      details: { variable: TIMEOUT, value },
    });
  }
  return Math.min(seconds * 1000, HOUR_MS);
}

interface Asked {
  bytes: Uint8Array;
  request: PdfRequest;
  timeoutMs: number;
  path: string;
}

async function cached({ bytes, request, timeoutMs, path }: Asked, context: ToolContext): Promise<PdfReading> {
  const key = readingKey(bytes, request);
  const kept = await findReading(key, context);
  if (kept !== null) return kept;
  const read = await readInTime({ bytes, request, timeoutMs, path }, context);
  await keepReading(key, read, context);
  return read;
}

async function readInTime(
  { bytes, request, timeoutMs, path }: Asked,
  context: ToolContext,
): Promise<PdfReading> {
  const left = Math.max(1, context.deadline - Date.now() - MARGIN_MS);
  const bound = Math.ceil(Math.min(timeoutMs, left));
  try {
    // The reader may have read hostile bytes: its answer is not trusted.
    return pdfReading.parse(await context.documents.read("pdf", bytes, { input: request, timeoutMs: bound }));
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "timeout" || context.signal.aborted) throw error;
    throw new ToolError(
      "timeout",
      `Timeout after ${(bound / 1000).toFixed(1)}s while parsing PDF: ${path}. ` +
        `Read fewer pages with the argument pages, raise ${TIMEOUT}, or go on without it.`,
      { details: { ...error.details, path }, cause: error },
    );
  }
}

function outputOf(reading: PdfReading, path: string): Output {
  return {
    path,
    source_type: "pdf",
    total_lines: reading.totalLines,
    truncated: reading.truncated,
    image_count: reading.imageCount,
    image_paths_listed: reading.imagePaths.length,
    image_paths_truncated: reading.imageCount > reading.imagePaths.length,
    page_count: reading.pageCount,
    metadata: reading.metadata,
    pages_without_text: reading.pagesWithoutText,
    rendered_pages: reading.renderedPages,
    image_paths: reading.imagePaths,
    content: reading.text,
  };
}

function renderOutput(output: Output): string {
  const { path, metadata, pages_without_text, rendered_pages, image_paths, content, ...facts } = output;
  const lines = Object.entries({ path: oneLine(path), ...facts, ...spelled(metadata) })
    .map(([name, value]) => `${name}: ${value}`);
  if (pages_without_text.length > 0) lines.push(`pages_without_text: ${rangesOf(pages_without_text)}`);
  if (rendered_pages.length > 0) {
    lines.push("rendered_pages:", ...rendered_pages.map(({ page, path }) => `page ${page}: ${path}`));
  }
  if (image_paths.length > 0) lines.push("image_paths:", ...image_paths);
  return [...lines, "content:", content].join("\n");
}

/** "CreationDate" becomes "creation_date". */
function spelled(metadata: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(),
      oneLine(value),
    ]),
  );
}

function rangesOf(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => first === last ? `${first}` : `${first}-${last}`).join(",");
}
