import { orAborted } from "../../wait/or_aborted.ts";
import type { Answers } from "../answer_ask.ts";
import type { AskPerson } from "../control.ts";

/**
 * Takes the questions of tools to a person, for tools that declare that they ask; a question ends with its call.
 *
 * @param askPerson `null` if there is no person to ask
 */
export function personAnswers(askPerson: AskPerson | null): Answers {
  return {
    async "user.ask"({ question, context }, { tool, onQuestion, program: { signal } }) {
      if (!tool.asks) {
        throw new Error(`a tool of ${tool.toolset} asked a person without having declared that it does`);
      }
      if (askPerson === null) return null;
      onQuestion?.("asked");
      try {
        const asked = askPerson({ tool: tool.full_name, question, context }, { signal });
        const answer = await orAborted(asked, signal);
        if (signal.aborted) throw signal.reason;
        return answer;
      } finally {
        onQuestion?.("answered");
      }
    },
  };
}
