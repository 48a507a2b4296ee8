import type { z } from "zod";

import { AGENT_TERMINATIONS, type AgentTermination, isAnswered } from "../../../schemas/agent/agent.ts";
import { type ErrorCode, EXIT_CODES } from "../../../schemas/error.ts";
import type { RunDetail } from "../api/run_schemas.ts";
import { statusOfCode } from "../api/statuses.ts";
import type { FinishReason } from "./chunk.ts";
import { type ErrorBody, openaiError } from "./error_body.ts";

/** A run, as the server tells of it. */
export type Detail = z.infer<typeof RunDetail>;

/** How a run ended, in OpenAI's words. */
export type Ending =
  | { kind: "answer"; content: string; finish: FinishReason; isJson?: boolean }
  | { kind: "failure"; status: number; body: ErrorBody };

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
  const code = isTermination(reason) ? AGENT_TERMINATIONS[reason] : codeOf(detail.error);
  const isLimit = code === "limit_exceeded" || reason === "max_time";
  const said = isAnswered(reason) ? detail.answer : null;
  const answer = mustBeJson && said !== null ? jsonOf(detail) : said;
  if (answer !== null) {
    return { kind: "answer", content: answer, finish: isLimit ? "length" : "stop", isJson: mustBeJson };
  }
  if (said !== null && code === null) {
    return failure(
      "output_invalid",
      `The agent's answer is not JSON: it was begun without a schema (run ${detail.id})`,
    );
  }
  const message = detail.error?.message ?? `The run ended without an answer: ${reason}`;
  if (isLimit && !mustBeJson) return { kind: "answer", content: `[${message}]`, finish: "length" };
  return failure(code ?? "unavailable", `${message} (run ${detail.id})`);
}

function failure(reason: ErrorCode, message: string): Ending {
  // It is the server that the model's provider does not know, and not the client.
  const code = reason === "unauthenticated" ? "external_failure" : reason;
  const status = statusOfCode(code);
  return { kind: "failure", status, body: openaiError({ code, message, details: {} }, status) };
}

/** A run that goes on keeps the schema that it began with, which may be none. */
function jsonOf({ answer, output }: Detail): string | null {
  if (output !== undefined) return JSON.stringify(output);
  try {
    JSON.parse(answer ?? "");
    return answer;
  } catch {
    return null;
  }
}

/** A run that did not begin tells why by the code of its error. */
function codeOf(error: Detail["error"]): ErrorCode {
  return error !== null && Object.hasOwn(EXIT_CODES, error.code) ? error.code as ErrorCode : "internal";
}

function isTermination(reason: string): reason is AgentTermination {
  return Object.hasOwn(AGENT_TERMINATIONS, reason);
}
