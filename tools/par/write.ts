import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { encodeText, otherEncoding } from "../engine/file/text_file.ts";
import { admitParPath } from "./shared/path.ts";
import { signed } from "../engine/summary.ts";

export default defineTool({
  name: "write",
  description: "Write a file, UTF-8, byte for byte as given; an existing file is replaced. " +
    'Example: {"path": "out/result.txt", "content": "hello", "create_dirs": true}.',
  input: z.object({
    path: z.string().describe('File path relative to the workspace, such as "out/result.txt"; no colon.'),
    content: z.string().describe("The complete content of the file."),
    create_dirs: z.boolean().default(false).describe("Make missing parent folders."),
  }),
  output: z.string(),
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    {
      line: "path=out/result.txt content=done create_dirs=true",
      meaning: "Write a file, and make its folder",
    },
  ],
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "write", value: path }],
  async run({ path, content, create_dirs }, context) {
    await admitParPath(context, path, "write");
    const bytes = encodeText(content, { path });
    const before = await otherEncoding(context.files, path);
    try {
      await context.files.write(path, bytes, { createDirs: create_dirs });
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "not_found" || create_dirs) throw error;
      const { message, details } = error;
      throw new ToolError("not_found", `${message}, pass create_dirs: true to make it`, {
        details,
        cause: error,
      });
    }
    if (before !== null) context.warn(`"${path}" was in ${before} and is UTF-8 now`);
    return `Wrote ${bytes.length} bytes to ${path}`;
  },
  preview: ({ content }) => signed("+", content),
});
