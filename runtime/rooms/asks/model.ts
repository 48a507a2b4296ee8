import type { ModelQuestion, ToolContext } from "../../../schemas/context.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isText } from "./checks.ts";

/** Asks the model of the run about a text. */
export interface ModelAsk extends ModelQuestion {
  kind: "model.ask";
}

export const MODEL_CHECKS: AskChecks<ModelAsk> = { "model.ask": { task: isText, text: isText } };

/** Returns the model that main can ask. */
export function askedModel(ask: Asker<ModelAsk>): ToolContext["askModel"] {
  // Main answers with what the contract of `ToolContext` says.
  return ({ task, text }) => ask({ kind: "model.ask", task, text }) as ReturnType<ToolContext["askModel"]>;
}
