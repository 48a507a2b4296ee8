import { Buffer } from "node:buffer";

import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { APART_FOLDER } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import { type ImageReading, imageReading } from "../engine/image/reading.ts";
import { sniff } from "../engine/file/sniff.ts";
import { readSandboxFile, shownPath } from "./shared/sandbox_file.ts";
import { sandboxPath } from "./shared/sandbox_path.ts";

const MEGABYTE = 1024 * 1024;
const MOST_BYTES = 10 * MEGABYTE;
const MOST_ATTACHED_BYTES = 5 * MEGABYTE;
const MOST_WIDTH = 1920;
const MOST_HEIGHT = 1080;
const QUALITY = 85;
const READER_MS = 45_000;
const FORMATS = ["JPEG", "PNG", "GIF", "WEBP"];

const input = z.object({
  action: z.enum(["see_image"]).describe("What to do: see_image shows a picture."),
  file_path: z.string().describe(`Path of the picture in ${APART_FOLDER}, such as 'plots/tea.png'.`),
});

const output = z.object({
  message: z.string(),
  file_path: z.string(),
  mime_type: z.string(),
  byte_count: z.int(),
  attached_byte_count: z.int(),
  width: z.int(),
  height: z.int(),
});

export default defineTool({
  name: "sandbox_vision",
  description:
    `Shows you a picture of the session's private sandbox, from its folder ${APART_FOLDER}: JPEG, PNG, GIF or WebP, at most 10 MB. ` +
    `It is scaled down to ${MOST_WIDTH} x ${MOST_HEIGHT} and compressed.`,
  input,
  output,
  needs: { run: "granted" },
  readOnly: true,
  parallel: false,
  killable: true,
  examples: [{
    line: "action=see_image file_path=logo.png",
    meaning: "Show a picture of the private sandbox to a model",
  }],
  limits: { timeoutMs: 90_000, concurrency: 1 },
  targets: () => [{ kind: "run", value: "sh", apart: true }],
  async run({ file_path }, context): Promise<z.output<typeof output>> {
    if (file_path.trim() === "") throw new ToolError("invalid_input", "file_path must not be empty");
    const path = sandboxPath(file_path);
    const { bytes } = await readSandboxFile(context, path, { maxBytes: MOST_BYTES }).catch(tooLarge);
    const reading = await fitted(bytes, path, context);
    const { attachment, mimeType, warnings } = reading;
    warnings.forEach((warning) => context.warn(warning));
    const picture = Buffer.from(attachment.bytes, "base64");
    if (picture.length > MOST_ATTACHED_BYTES) {
      throw new ToolError(
        "limit_exceeded",
        `Image '${shownPath(path)}' has ${
          megabytes(picture.length)
        } MB after compression, more than 5 MB: make it smaller`,
      );
    }
    context.attach({ mimeType: `image/${attachment.format.toLowerCase()}`, bytes: picture });
    return {
      message: `Loaded and compressed image '${shownPath(path)}' (from ${megabytes(bytes.length)} MB to ${
        megabytes(picture.length)
      } MB).`,
      file_path: shownPath(path),
      mime_type: mimeType,
      byte_count: bytes.length,
      attached_byte_count: picture.length,
      width: attachment.width,
      height: attachment.height,
    };
  },
  summary: ({ file_path, width, height }) => `${file_path}, ${width} × ${height}`,
  text: ({ message }) => message,
  errorText: ({ message }) => `Error: ${message}`,
});

/** Reads a picture. One that is still too high is read again with a shorter edge. */
async function fitted(bytes: Uint8Array, path: string, context: ToolContext): Promise<ImageReading> {
  if (sniff(bytes, path).type === "text") throw unsupported(path);
  const first = await read(bytes, MOST_WIDTH, context);
  if (!FORMATS.includes(first.format)) throw unsupported(path);
  const { width, height } = first.attachment;
  if (height <= MOST_HEIGHT && width <= MOST_WIDTH) return first;
  return await read(bytes, Math.max(1, Math.floor(Math.max(width, height) * MOST_HEIGHT / height)), context);
}

/** The reader may have read hostile bytes: its answer is not trusted. */
async function read(bytes: Uint8Array, maxEdge: number, context: ToolContext): Promise<ImageReading> {
  const limits = { maxEdge, maxBytes: MOST_ATTACHED_BYTES, quality: QUALITY };
  return imageReading.parse(
    await context.documents.read("image", bytes, { input: limits, timeoutMs: READER_MS }),
  );
}

function unsupported(path: string): ToolError {
  return new ToolError(
    "invalid_input",
    `Image '${shownPath(path)}' has an unsupported format: it must be JPEG, PNG, GIF or WebP`,
  );
}

function tooLarge(error: unknown): never {
  if (!(error instanceof ToolError) || error.code !== "limit_exceeded" || error.details?.path === undefined) {
    throw error;
  }
  throw new ToolError("limit_exceeded", `${error.message}: a picture may have 10 MB`, { cause: error });
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(2);
}
