import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { askPerson } from "../engine/ask_person.ts";

const WORDS = {
  unavailable:
    "Cannot ask the human: no interactive terminal is available. Go on with what is known and say what was " +
    "assumed, or name in the final answer what is missing.",
};

export default defineTool({
  name: "ask_human",
  description:
    "Asks the human for help, for a decision or for information that cannot be found otherwise, and waits for one line " +
    "of an answer. If no person can be asked, it says so.",
  input: z.object({ inquire: z.string().describe("The question you want to ask the human.") }),
  output: z.string(),
  needs: {},
  // A person's answer belongs to its moment: a replay must not ask again.
  readOnly: false,
  parallel: false,
  asks: true,
  examples: [
    { line: "inquire='Which branch?'", meaning: "Ask the person at the terminal" },
  ],
  limits: { timeoutMs: "none" },
  async run({ inquire }, context) {
    if (inquire.trim() === "") {
      throw new ToolError("invalid_input", "Parameter `inquire` must not be empty");
    }
    return await askPerson({ question: inquire }, { context, words: WORDS });
  },
  errorText: ({ message }) => `Error: ${message}`,
});
