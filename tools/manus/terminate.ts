import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "terminate",
  description:
    "Ends the interaction. Call it when the request is met, or when you cannot go on with the task. Before that, tell " +
    "the person the result.",
  input: z.object({
    status: z.enum(["success", "failure"]).describe("How the interaction ends: `success` or `failure`."),
  }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  stepPart: "finish",
  endsRun: { status: "status", failed: "failure", answer: null },
  examples: [
    { line: "status=success", meaning: "End a run" },
  ],
  limits: { timeoutMs: 10_000 },
  run: ({ status }) => `The interaction has been completed with status: ${status}`,
  errorText: ({ message }) => `Error: ${message}`,
});
