import { createHash } from "node:crypto";
import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";

const ALGORITHMS = ["md5", "sha1", "sha256"];

export default defineTool({
  name: "hash_text",
  description:
    "Returns the hash of a text's UTF-8 bytes, in lower-case hex. md5 and sha1 are broken: use them for " +
    'cache keys and duplicates only. Example: {"text": "hello", "algorithm": "sha1"}.',
  input: z.object({
    text: z.string().describe("Text to hash."),
    algorithm: z.string().default("sha256").describe("md5, sha1 or sha256, in any case."),
  }),
  output: z.object({ hash: z.string(), algorithm: z.string() }),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "text=hello algorithm=sha1", meaning: "Hash a text" },
  ],
  limits: { timeoutMs: 2_000 },
  run({ text, algorithm: asked }) {
    const algorithm = asked.toLowerCase();
    if (!ALGORITHMS.includes(algorithm)) {
      throw new ToolError(
        "invalid_input",
        `Cannot hash with "${asked}": unknown algorithm, use ${ALGORITHMS.join(", ")}`,
      );
    }
    return { hash: createHash(algorithm).update(text, "utf8").digest("hex"), algorithm };
  },
});
