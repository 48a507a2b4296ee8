import type { Question, ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";

/** How a toolset says that there is no answer. */
export interface AskWords {
  unavailable: string;
  /** @default the reason of the end */
  cancelled?: string;
}

/**
 * Asks the person who watches the run.
 *
 * @returns The answer without blanks around it
 * @throws {ToolError} `unavailable` if no person can answer; `cancelled` or `timeout` if the call ends first
 */
export async function askPerson(
  question: Question,
  { context, words }: { context: ToolContext; words: AskWords },
): Promise<string> {
  const answer = await context.ask(question).catch((error) => {
    if (!(error instanceof ToolError) || error.code !== "cancelled") throw error;
    throw new ToolError("cancelled", words.cancelled ?? error.message, { cause: error });
  });
  if (answer === null) throw new ToolError("unavailable", words.unavailable);
  return answer.trim();
}
