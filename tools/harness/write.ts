import * as z from "zod";

import type { Location, ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { encodeText, otherEncoding } from "../engine/file/text_file.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { withLead } from "./shared/lead_error.ts";
import { expandHome } from "./shared/locate_file.ts";
import { countOf, signed } from "../engine/summary.ts";

const input = z.object({
  path: z.string().describe("Destination file path, relative to the workspace or absolute."),
  content: z.string().describe("The complete content of the file."),
  overwrite: z.boolean().default(false).describe("Replace the file if it exists already."),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "Write",
  description:
    "Create a text file with the given content, UTF-8, byte for byte as given. Missing parent folders are " +
    "made. An existing file is an error unless overwrite is true.",
  seeAlso: ["To change a part of a file, use {Edit}."],
  input,
  output: z.object({ path: z.string(), bytes: z.int() }),
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "path=notes/today.md content='buy tea'", meaning: "Make a file, and its folder" },
  ],
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "write", value: path }],
  async run(input, context) {
    const path = expandHome(input.path, context.home);
    const location = await context.files.locate(path, "write");
    if (location.info && !input.overwrite) throw alreadyExists(location);
    const bytes = encodeText(input.content, { path: input.path });
    const before = location.info && await otherEncoding(context.files, path);
    const written = await write(location, bytes, { input, context });
    if (before) context.warn(`"${input.path}" was in ${before} and is UTF-8 now`);
    return { path: written.real, bytes: bytes.length };
  },
  preview: ({ content }) => signed("+", content),
  summary: ({ bytes }) => `${countOf(bytes, "byte", "bytes")} written`,
  text: ({ path }) => `[Write] Wrote file: ${path}`,
  errorText: harnessErrorText("Write", { purpose: "Write access" }),
});

function alreadyExists({ real }: Location): ToolError {
  const message = `File already exists and overwrite is false: ${real}`;
  return new ToolError("conflict", message, { details: { path: real } });
}

async function write(
  location: Location,
  bytes: Uint8Array,
  { input, context }: { input: Input; context: ToolContext },
): Promise<Location> {
  try {
    const options = { createDirs: true, mustNotExist: !input.overwrite };
    return await withLead("Error writing file: ", () => context.files.write(location.path, bytes, options));
  } catch (error) {
    // Another program made the file after the check.
    if (error instanceof ToolError && error.code === "conflict") throw alreadyExists(location);
    throw error;
  }
}
