import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "create_chat_completion",
  description: "Gives a completion in its specified form: returns the response exactly as it was given.",
  input: z.object({
    response: z.string().describe("The response text that should be delivered to the user."),
  }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "response='All done'", meaning: "Give the answer of a run" },
  ],
  typedArgument: "response",
  limits: { timeoutMs: 10_000 },
  run: ({ response }) => response,
  errorText: ({ message }) => `Error: ${message}`,
});
