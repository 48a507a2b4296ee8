import type { z } from "zod";

import { AGENT_TERMINATIONS, type AgentTermination, isAnswered } from "../../../schemas/agent/agent.ts";
import type { ErrorCode } from "../../../schemas/error.ts";
import type { RunDetail } from "../api/run_schemas.ts";
import type { FinishReason } from "./chunk.ts";
import { type ErrorBody, openaiError } from "./error_body.ts";

/** A run, as the server tells of it. */
export type Detail = z.infer<typeof RunDetail>;

/** How a run ended, in OpenAI's words. */
export type Ending =
  | { kind: "answer"; content: string; finish: FinishReason }
  | { kind: "failure"; status: number; body: ErrorBody };

/** What a failure of a run means for its client. `unauthenticated` is not here: it is the server that the model knows not. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  configuration: 500,
  internal: 500,
  invalid_input: 400,
  cancelled: 409,
  rate_limited: 429,
  timeout: 504,
  output_invalid: 502,
  external_failure: 502,
  unauthenticated: 502,
};

/**
 * Says what a client is told at the end of a run.
 *
 * @param mustBeJson The answer is one JSON text, so no other text may take its place
 */
export function endingOf(detail: Detail, mustBeJson: boolean): Ending {
  const reason = detail.termination_reason ?? "interrupted";
  const asked = detail.questions.map(({ text }) => text).join("\n\n");
  if (asked !== "" || detail.state === "waiting") {
    return { kind: "answer", content: asked || (detail.answer ?? ""), finish: "stop" };
  }
  const code = isTermination(reason) ? AGENT_TERMINATIONS[reason] : "internal";
  const isLimit = code === "limit_exceeded" || reason === "max_time";
  const answer = isAnswered(reason) ? answerOf(detail, mustBeJson) : null;
  if (answer !== null) return { kind: "answer", content: answer, finish: isLimit ? "length" : "stop" };
  const message = detail.error?.message ?? `The run ended without an answer: ${reason}`;
  if (isLimit && !mustBeJson) return { kind: "answer", content: `[${message}]`, finish: "length" };
  return failure(code ?? "unavailable", `${message} (run ${detail.id})`);
}

function failure(code: ErrorCode, message: string): Ending {
  const status = STATUSES[code] ?? 500;
  return { kind: "failure", status, body: openaiError({ code, message, details: {} }, status) };
}

function answerOf({ answer, output }: Detail, mustBeJson: boolean): string | null {
  return mustBeJson && output !== undefined ? JSON.stringify(output) : answer;
}

function isTermination(reason: string): reason is AgentTermination {
  return Object.hasOwn(AGENT_TERMINATIONS, reason);
}
