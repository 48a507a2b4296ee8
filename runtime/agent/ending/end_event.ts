import {
  AGENT_TERMINATIONS,
  type AgentOutcome,
  type AgentTermination,
  NO_USAGE,
} from "../../../schemas/agent/agent.ts";
import type { RunEnding } from "../../../schemas/agent/ending.ts";
import type { RunEvent, TerminationReason } from "../../../schemas/agent/events.ts";
import { type ErrorInfo, exitCodeOf } from "../../../schemas/error.ts";

/** The last event of a run. */
export type LastEvent = Extract<RunEvent, { type: "run.end" }>;

/** Returns the last event of a run of an agent, which has a name if it is not the usual one. */
export function endOfRun(
  { termination_reason, usage, answer, state, questions, ...rest }: AgentOutcome & RunEnding,
  agent: string | undefined,
): LastEvent {
  const code = AGENT_TERMINATIONS[termination_reason];
  const { changed, refused, resume } = rest;
  return {
    type: "run.end",
    exit_code: code === null ? 0 : exitCodeOf(code),
    ...{ termination_reason, usage, ...(agent !== undefined && { agent }), answer },
    ...{ changed, refused, resume, ...(state && { state }), ...(questions && { questions }) },
  };
}

/** Returns the last event of a run that did not begin. */
export function endUnbegun(error: Pick<ErrorInfo, "code">): LastEvent {
  return {
    type: "run.end",
    exit_code: exitCodeOf(error.code),
    termination_reason: reasonOf(error),
    usage: NO_USAGE,
    ...{ answer: null, changed: [], refused: [], resume: null },
  };
}

const REASONS: Partial<Record<ErrorInfo["code"], AgentTermination>> = {
  cancelled: "interrupted",
  unauthenticated: "unauthenticated",
};

/** Returns why a run ended that did not begin. */
export function reasonOf({ code }: Pick<ErrorInfo, "code">): TerminationReason {
  return REASONS[code] ?? "not_started";
}
