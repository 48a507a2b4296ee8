import type { AgentUsage } from "../../../schemas/agent/agent.ts";

/** Returns what two parts of a run used together; `null` if neither is known. */
export function addUsage(
  before: AgentUsage | null | undefined,
  more: AgentUsage | null | undefined,
): AgentUsage | null {
  if (!before || !more) return before ?? more ?? null;
  return combined(before, more, 1);
}

/** Returns what a run used since then. */
export function usageSince(now: AgentUsage | null, then: AgentUsage | null): AgentUsage | null {
  return now && then ? combined(now, then, -1) : now;
}

function combined(one: AgentUsage, other: AgentUsage, sign: 1 | -1): AgentUsage {
  const isPriced = one.cost !== null || other.cost !== null;
  return {
    input_tokens: one.input_tokens + sign * other.input_tokens,
    cached_tokens: one.cached_tokens + sign * other.cached_tokens,
    output_tokens: one.output_tokens + sign * other.output_tokens,
    rounds: one.rounds + sign * other.rounds,
    calls: one.calls + sign * other.calls,
    failed: one.failed + sign * other.failed,
    cost: isPriced ? (one.cost ?? 0) + sign * (other.cost ?? 0) : null,
    estimated: one.estimated || other.estimated,
  };
}
