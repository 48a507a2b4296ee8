import type { AgentUsage } from "../../../schemas/agent/agent.ts";
import type { ChangedFile, RefusedCall, RunEnding } from "../../../schemas/agent/ending.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import { plural } from "../../text/plural.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { mergeFlags, showFlags } from "../../walls/grants/flag_word.ts";
import { showTime } from "./show_call.ts";

/** How many changed files are named. */
const SHOWN = 10;

/** Returns what a person reads at the start of a run, on one line. */
export function startLine(event: Extract<RunEvent, { type: "run.start" }>): string {
  const { agent, model = "?", workspace, grants, session_id, widened = [] } = event;
  const parts = [
    ...agent === undefined ? [] : [`agent ${agent}`],
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

/** Returns what a person reads at the end of a run: what was changed, what was refused, and how to go on. */
export function endingLines({ changed = [], refused = [], resume = null }: Partial<RunEnding>): string[] {
  const more = changed.length - SHOWN;
  return [
    ...changed.slice(0, SHOWN).map((file) => `changed ${showChange(file)}`),
    ...more > 0 ? [`changed ${more} more ${more === 1 ? "file" : "files"}, see --json`] : [],
    ...refused.length > 0 ? [`refused ${showRefused(refused)}`] : [],
    ...resume === null ? [] : [`go on   ${resume}`],
  ];
}

function showChange({ path, status, added, removed }: ChangedFile): string {
  const word = { added: " (new)", deleted: " (deleted)", modified: "" }[status];
  const lines = [...added ? [`+${added}`] : [], ...removed ? [`-${removed}`] : []];
  return `${onOneLine(path)}${word}${lines.map((count) => ` ${count}`).join("")}`;
}

function showRefused(refused: readonly RefusedCall[]): string {
  const tools = [...new Set(refused.map(({ tool }) => tool.split("/").at(-1)))].join(", ");
  const flags = mergeFlags(refused.flatMap((call) => call.flags));
  if (flags.length === 0) return `${onOneLine(tools)}; no flag allows it`;
  const isAll = refused.every((call) => call.flags.length > 0);
  return `${onOneLine(tools)}; to allow ${isAll ? "it" : "what a flag can allow"}: ${showFlags(flags)}`;
}
