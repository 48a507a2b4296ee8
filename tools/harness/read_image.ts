import { Buffer } from "node:buffer";

import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { type ImageLimits, type ImageReading, imageReading } from "../engine/image/reading.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { readWhole } from "../engine/file/read_whole.ts";
import { sniff } from "../engine/file/sniff.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { refuseFormat, shellOf } from "./shared/advise_reader.ts";
import { withLead } from "./shared/lead_error.ts";
import { locateFile } from "./shared/locate_file.ts";

const LEAD = "Error reading image: ";
const MOST_ATTACHED_BYTES = 50 * 1024 * 1024;
const READER_MS = 45_000;
/** A drawing can ask for any amount of work, so only its time can be bounded. */
const DRAWING_MS = 10_000;

const input = z.object({
  path: z.string().describe("Image path, relative to the workspace or absolute."),
});

const output = z.object({
  path: z.string(),
  source_type: z.literal("image"),
  format: z.string(),
  mime_type: z.string(),
  mode: z.string(),
  width: z.int(),
  height: z.int(),
  byte_count: z.int(),
  llm_attachment_format: z.enum(["JPEG", "PNG"]),
  llm_attachment_width: z.int(),
  llm_attachment_height: z.int(),
  llm_attachment_byte_count: z.int(),
  llm_image_attached: z.literal(true),
});

export default defineTool({
  name: "ReadImage",
  description:
    "Look at a local picture: the image is attached for you to see. PNG, JPEG, JPEG 2000, GIF, BMP, WebP, TIFF, ICO, ICNS, " +
    "PBM, PGM, PPM or SVG, told by " +
    "content. Returns metadata of the stored file and of the attachment, which is upright, on white, scaled down and compressed. " +
    "Of animations and of files with several pages the first picture is shown.",
  seeAlso: ["Use {ReadPDF} for PDF files.", "Use {Read} for text."],
  input,
  output,
  promptHints: [
    "Read pictures with {ReadImage}.",
  ],
  needs: { read: "granted" },
  readOnly: true,
  parallel: true,
  killable: true,
  examples: [{ line: "path=logo.png", meaning: "Show a picture to a model" }],
  limits: { timeoutMs: 60_000 },
  settings: ["LLM_IMAGE_MAX_EDGE", "LLM_IMAGE_MAX_BYTES", "LLM_IMAGE_JPEG_QUALITY"],
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run({ path }, context): Promise<z.output<typeof output>> {
    const { real } = await locateFile(context, path, { access: "read" });
    return await withLead(LEAD, async () => {
      const limits = limitsOf(context.settings);
      const bytes = await imageBytes(real, context);
      const { attachment, warnings, mimeType, ...facts } = await readImage(bytes, limits, context);
      warnings.forEach((warning) => context.warn(warning));
      const picture = Buffer.from(attachment.bytes, "base64");
      context.attach({ mimeType: `image/${attachment.format.toLowerCase()}`, bytes: picture });
      return {
        path: real,
        source_type: "image",
        format: facts.format,
        mime_type: mimeType,
        mode: facts.mode,
        width: facts.width,
        height: facts.height,
        byte_count: bytes.length,
        llm_attachment_format: attachment.format,
        llm_attachment_width: attachment.width,
        llm_attachment_height: attachment.height,
        llm_attachment_byte_count: picture.length,
        llm_image_attached: true,
      };
    });
  },
  summary: ({ format, width, height }) => `${format}, ${width} × ${height}`,
  text: (facts) =>
    Object.entries({ ...facts, path: oneLine(facts.path) }).map(([name, value]) => `${name}: ${value}`).join(
      "\n",
    ),
  errorText: harnessErrorText("ReadImage", { purpose: "Read access", pathLead: true }),
});

/** The user's bounds, or the documented ones. */
function limitsOf(settings: ToolContext["settings"]): ImageLimits {
  return {
    maxEdge: wholeNumber(settings, "LLM_IMAGE_MAX_EDGE", { absent: 1568, most: 65_535 }),
    maxBytes: wholeNumber(settings, "LLM_IMAGE_MAX_BYTES", { absent: 524_288, most: MOST_ATTACHED_BYTES }),
    quality: wholeNumber(settings, "LLM_IMAGE_JPEG_QUALITY", { absent: 85, most: 100 }),
  };
}

function wholeNumber(
  settings: ToolContext["settings"],
  name: string,
  { absent, most }: { absent: number; most: number },
): number {
  const text = settings[name]?.trim() ?? "";
  if (text === "") return absent;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new ToolError(
    "configuration",
    `${name} must be a whole number from 1 to ${most}, not ${JSON.stringify(text)}`,
    {
      details: { variable: name },
    },
  );
}

/** The reader may have read hostile bytes: its answer is not trusted. */
async function readImage(
  bytes: Uint8Array,
  limits: ImageLimits,
  context: ToolContext,
): Promise<ImageReading> {
  const isDrawing = sniff(bytes, "").type === "text";
  const timeoutMs = isDrawing ? DRAWING_MS : READER_MS;
  try {
    return imageReading.parse(await context.documents.read("image", bytes, { input: limits, timeoutMs }));
  } catch (error) {
    const isLate = error instanceof ToolError && error.code === "timeout" && !context.signal.aborted;
    if (!isLate || !isDrawing) throw error;
    const shell = shellOf(context.toolName);
    const where = shell === null ? "" : ` with a program in ${shell}`;
    throw new ToolError(
      "limit_exceeded",
      `The SVG image takes longer than ${DRAWING_MS} ms to draw: simplify it, or convert it to PNG${where}`,
      { details: { limit_ms: DRAWING_MS }, cause: error },
    );
  }
}

async function imageBytes(real: string, context: ToolContext): Promise<Uint8Array> {
  const bytes = await readWhole(context, real, "image");
  const kind = sniff(bytes, real);
  if (kind.type === "pdf" || kind.type === "office") {
    throw new ToolError("invalid_input", refuseFormat(kind, "ReadImage", { path: real, context }), {
      details: { path: real, content_type: kind.type, format: kind.format },
    });
  }
  return bytes;
}
