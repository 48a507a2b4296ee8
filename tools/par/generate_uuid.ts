import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "generate_uuid",
  description:
    "Returns a random UUID (version 4) from the system's cryptographic randomness. Takes no parameters: {}.",
  input: z.object({}),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "", meaning: "Make a UUID" },
  ],
  limits: { timeoutMs: 1_000 },
  run: () => crypto.randomUUID(),
});
