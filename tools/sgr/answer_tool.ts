import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { errorText } from "./shared/words.ts";

export default defineTool({
  name: "answer_tool",
  description:
    "Tells the person what was found so far and passes the turn to them: they may ask on, correct, or end the talk. It is " +
    "not the end of the work.",
  input: z.object({
    reasoning: z.string().max(200).describe("Why this is told now, in one or two sentences."),
    intermediate_result: z.string().min(10).max(2000).describe(
      "What the person is told, in 10 to 2,000 characters.",
    ),
    continue_research: z.boolean().default(true).describe("Whether the research is to go on after it."),
  }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  stepPart: "answer",
  cutsLong: true,
  examples: [
    {
      line: "reasoning='a first result' intermediate_result='Three makers were found so far.'",
      meaning: "Tell what was found, and let the person speak",
    },
  ],
  limits: { timeoutMs: 10_000 },
  run: ({ intermediate_result }) => intermediate_result,
  errorText,
});
