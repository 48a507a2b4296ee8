import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { errorText, fieldsText } from "./shared/words.ts";

const fields = z.object({
  reasoning_steps: z.array(z.string()).min(2).max(3).describe(
    "Steps of the reasoning: 2 or 3, a sentence each.",
  ),
  current_situation: z.string().max(300).describe("How the research stands, in 300 characters at most."),
  plan_status: z.string().max(150).describe("How the plan stands, in 150 characters at most."),
  enough_data: z.boolean().default(false).describe("Whether there is enough data for the answer."),
  remaining_steps: z.array(z.string()).max(3).describe(
    "What remains to be done: 1 to 3 actions; none if all is done.",
  ),
  task_completed: z.boolean().describe("Whether the task is done."),
});

export default defineTool({
  name: "reasoning_tool",
  description:
    "Says how the work stands and what comes next: think, look at the situation and at the plan, then say whether the data " +
    "is enough, what remains, and whether the task is done. It does nothing else. Call it before any other tool.",
  input: fields,
  output: fields,
  needs: {},
  readOnly: true,
  parallel: false,
  stepPart: "reason",
  cutsLong: true,
  examples: [
    {
      line: "reasoning_steps='[\"read the task\",\"search first\"]' current_situation='nothing is known' " +
        "plan_status='no plan yet' remaining_steps='[\"search\"]' task_completed=false",
      meaning: "Say how the work stands",
    },
  ],
  limits: { timeoutMs: 10_000 },
  run: (input) => input,
  summary: ({ remaining_steps: [next], task_completed }) =>
    task_completed ? "the task is done" : next ?? "nothing remains",
  text: fieldsText,
  errorText,
});
