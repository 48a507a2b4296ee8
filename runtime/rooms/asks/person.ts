import type { Question, ToolContext } from "../../../schemas/context.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isText, optional } from "./checks.ts";

/** Asks a person a model's question. */
export interface PersonAsk extends Question {
  kind: "user.ask";
}

export const PERSON_CHECKS: AskChecks<PersonAsk> = {
  "user.ask": { question: isText, context: optional(isText) },
};

/** Returns the person that main can ask. */
export function askedPerson(ask: Asker<PersonAsk>): ToolContext["ask"] {
  // Main answers with what the contract of `ToolContext` says.
  return ({ question, context }) =>
    ask({ kind: "user.ask", question, context }) as ReturnType<ToolContext["ask"]>;
}
