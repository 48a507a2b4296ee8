import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { askPerson } from "../engine/ask_person.ts";

const WORDS = {
  unavailable:
    "Cannot ask the user because no interactive terminal is available. Go on with what is known and say " +
    "what was assumed, or name in the final answer what is missing.",
  cancelled: "Cancelled before user answer was received.",
};
const NO_QUESTION = "question must be a non-empty string.";

export default defineTool({
  name: "AskUser",
  description:
    "Ask the user one concise question, to get essential information, a preference or an approval. Use it only when the " +
    "answer cannot be found in the workspace, by other tools or in the instructions so far. It waits for one line of an " +
    "answer; if no person can be asked, it says so.",
  input: z.strictObject({
    question: z.string({ error: ({ input }) => input === undefined ? undefined : NO_QUESTION }).describe(
      "The question, short and clear.",
    ),
    context: z.string().optional().describe("Why the answer is needed, in a sentence."),
  }),
  output: z.object({ answer: z.string() }),
  needs: {},
  // A person's answer belongs to its moment: a replay must not ask again.
  readOnly: false,
  parallel: false,
  asks: true,
  examples: [
    { line: "question='Which branch?' context='There are two.'", meaning: "Ask the person at the terminal" },
  ],
  limits: { timeoutMs: "none" },
  async run({ question, context: reason }, context) {
    if (question.trim() === "") throw new ToolError("invalid_input", NO_QUESTION);
    return { answer: await askPerson({ question, context: reason }, { context, words: WORDS }) };
  },
  summary: ({ answer }) => answer === "" ? "no answer" : answer,
  text: ({ answer }) =>
    answer === "" ? "[AskUser] User answer was empty." : `[AskUser] User answer:\n${answer}`,
  errorText: ({ message }) => `[AskUser] ${message}`,
});
