import { Buffer } from "node:buffer";

import * as z from "zod";

import type { OpenFile, ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { readBytes } from "../engine/file/read_bytes.ts";
import { readTextLines, warnAboutEncoding } from "../engine/file/read_text_lines.ts";
import { sniffFile } from "../engine/file/sniff.ts";
import { admitParPath } from "./shared/path.ts";

const MAX_BYTES = 10_000_000;
const NUMBER_WIDTH = 4;

const input = z.object({
  path: z.string().describe('File path relative to the workspace, such as "src/main.ts"; no colon.'),
  offset: z.int().min(0).default(0).describe("How many lines to skip."),
  limit: z.int().min(1).default(100).describe("How many lines to return at most."),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "read",
  description:
    "Read a file of up to 10 MB. Text comes as numbered lines: the number, a tab, the line; a last line in " +
    "brackets says with which offset to go on if lines remain. A binary file comes whole, as base64. " +
    'Example: {"path": "src/main.ts", "offset": 100, "limit": 50}.',
  input,
  output: z.string(),
  readsOn: "path={path} offset={skip}",
  needs: { read: "granted" },
  readOnly: true,
  parallel: false,
  examples: [
    { line: "path=README.md limit=20", meaning: "Read the first lines" },
  ],
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context) {
    await admitParPath(context, input.path, "read");
    using open = await context.files.open(input.path);
    if (open.info.size > MAX_BYTES) throw tooLarge(input.path, open.info.size);
    const { type, format, mime } = sniffFile(open.file, input.path);
    if (type === "text") return await readNumbered(open, { ...input, isWide: format !== "" }, context);
    context.warn(`"${input.path}" is not text (${mime}, ${open.info.size} bytes): the result is its base64`);
    const options = { maxBytes: MAX_BYTES, size: open.info.size, signal: context.signal };
    return Buffer.from(await readBytes(open.file, options)).toString("base64");
  },
});

function tooLarge(path: string, size: number): ToolError {
  const reason = `"${path}" has ${size} bytes, more than ${MAX_BYTES}; search it with grep`;
  return new ToolError("invalid_input", `File too large: ${reason}`, {
    details: { path, size, limit: MAX_BYTES },
  });
}

async function readNumbered(
  open: OpenFile,
  { path, offset, limit, isWide }: Input & { isWide: boolean },
  context: ToolContext,
): Promise<string> {
  const range = { start: offset + 1, end: offset + limit, maxChars: MAX_BYTES };
  const read = await readTextLines(open.file, range, { isWide, signal: context.signal });
  warnAboutEncoding(read, path, context);
  if (offset > 0 && offset >= read.totalLines) {
    context.warn(`offset ${offset} is past the end: "${path}" has ${read.totalLines} lines`);
  }
  const numbered = read.lines.map((line, at) => `${String(offset + 1 + at).padStart(NUMBER_WIDTH)}\t${line}`);
  const next = offset + read.lines.length;
  const left = read.totalLines - next;
  if (left > 0) {
    numbered.push(
      `[… ${left} more ${left === 1 ? "line" : "lines"}; call read with offset=${next} for the rest]`,
    );
  }
  return numbered.join("\n");
}
