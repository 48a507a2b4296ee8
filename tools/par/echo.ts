import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "echo",
  description:
    'Returns the given text unchanged, for tests and for messages between agents. Example: {"text": "hello"}.',
  input: z.object({ text: z.string().describe("Text to return.") }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "hello", meaning: "Return a text" },
  ],
  limits: { timeoutMs: 2_000 },
  run: ({ text }) => text,
});
