import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { errorText, fieldsText } from "./shared/words.ts";

const fields = z.object({
  reasoning: z.string().describe("Why the task is done, and how the answer was checked."),
  completed_steps: z.array(z.string()).min(1).max(5).describe(
    "What was done, with the checks: 1 to 5 steps.",
  ),
  answer: z.string().describe("The whole answer, with exact facts, in the language of the request."),
  status: z.enum(["completed", "failed"]).describe("How the task ended: `completed` or `failed`."),
});

export default defineTool({
  name: "final_answer_tool",
  description:
    "Gives the final answer and ends the work. Call it once, when the task is done or cannot be done; say which by the " +
    "status.",
  input: fields,
  output: fields,
  needs: {},
  readOnly: true,
  parallel: false,
  stepPart: "finish",
  endsRun: { status: "status", failed: "failed", answer: "answer" },
  cutsLong: true,
  examples: [
    {
      line:
        "reasoning='two sources agree' completed_steps='[\"searched\",\"compared\"]' answer='In 1904.' status=completed",
      meaning: "Give the answer and end a run",
    },
  ],
  limits: { timeoutMs: 10_000 },
  run: (input) => input,
  summary: ({ status, answer }) => `${status}: ${answer.split("\n")[0]}`,
  text: fieldsText,
  errorText,
});
