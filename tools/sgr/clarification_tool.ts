import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { errorText } from "./shared/words.ts";

export default defineTool({
  name: "clarification_tool",
  description:
    "Asks the person when the request can be read in several ways, or when something is missing that only the person " +
    "knows. The work waits for the answer. Keep the questions few, short and direct.",
  input: z.object({
    reasoning: z.string().max(200).describe("Why it must be asked, in one or two sentences."),
    unclear_terms: z.array(z.string()).min(1).max(3).describe(
      "What is not clear: 1 to 3 terms of 1 to 3 words.",
    ),
    assumptions: z.array(z.string()).min(2).max(3).describe(
      "How it could be meant: 2 or 3 readings, a sentence each.",
    ),
    questions: z.array(z.string()).min(1).max(3).describe("What the person is asked: 1 to 3 questions."),
  }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  stepPart: "clarify",
  cutsLong: true,
  examples: [
    {
      line:
        "reasoning='two firms have this name' unclear_terms='[\"Acme\"]' assumptions='[\"the maker\",\"the shop\"]' " +
        "questions='[\"Which Acme do you mean?\"]'",
      meaning: "Ask what a request means",
    },
  ],
  limits: { timeoutMs: 10_000 },
  run: ({ questions }) => questions.join("\n"),
  errorText,
});
