import type { AgentUsage } from "../../../schemas/agent/agent.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import { plural } from "../../text/plural.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { showFlags } from "../../walls/grants/flag_word.ts";
import { showTime } from "./show_call.ts";

/** The variable that tells a run that it is a turn of a chat: `new`, or `same` if the one before had the same options. */
export const IN_CHAT = "BULKHEAD_IN_CHAT";

/** Returns what a person reads at the start of a run, on one line. */
export function startLine(event: Extract<RunEvent, { type: "run.start" }>): string {
  const { model = "?", workspace, grants, session_id, widened = [] } = event;
  const parts = [
    model,
    `policy ${grants.policy}`,
    workspace,
    ...session_id ? [`session ${session_id}`] : [],
    ...widened.length > 0 ? [`widened by ${showFlags(widened)}`] : [],
  ];
  return onOneLine(parts.join(" · "));
}

/** Returns what a run has used, on one line; `session` is left out where it is `null`. */
export function sumLine(usage: AgentUsage, { ms, session }: { ms: number; session: string | null }): string {
  const failed = usage.failed > 0 ? ` (${usage.failed} failed)` : "";
  const about = usage.estimated ? "about " : "";
  const cost = usage.cost === null ? [] : [`$${usage.cost.toFixed(4)}`];
  return [
    plural(usage.rounds, "round"),
    plural(usage.calls, "call") + failed,
    `${about}${usage.input_tokens + usage.output_tokens} tokens`,
    ...cost,
    showTime(ms),
    ...session === null ? [] : [`session ${session}`],
  ].join(" · ");
}
