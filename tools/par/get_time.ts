import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "get_time",
  description:
    'Returns the current time in UTC as ISO 8601 with seconds, such as "2026-06-04T12:34:56Z". Takes no ' +
    "parameters: {}.",
  input: z.object({}),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "", meaning: "Tell the time" },
  ],
  limits: { timeoutMs: 2_000 },
  run: () => new Date().toISOString().replace(/\.\d+Z$/, "Z"),
});
