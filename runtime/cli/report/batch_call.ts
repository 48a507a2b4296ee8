import type { CallId } from "../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { showFlags } from "../../walls/grants/flag_word.ts";

/** A call of a batch that has ended, or a task of a file. */
export interface BatchAnswer {
  /** @default "call" */
  kind?: "call" | "task";
  id: CallId;
  /** The number of its line. */
  line: number;
  toolName: string;
  input: unknown;
  result: ToolResult;
  /** It is what was wanted: a success, or the failure that was expected. */
  met: boolean;
}

/** How a call ended, in one word. */
export type Verdict = "ok" | "refused" | "failed" | "stopped";

/** Returns how a call ended. */
export function verdictOf({ met, result: { error } }: Pick<BatchAnswer, "met" | "result">): Verdict {
  if (met) return "ok";
  if (error?.code === "permission_denied" || error?.code === "denied_by_policy") return "refused";
  return error?.code === "cancelled" ? "stopped" : "failed";
}

/** Returns the flags that would allow a refused call, all of them; none if no flag would. */
export function liftingFlags({ error }: ToolResult): string[] {
  const flags = error?.details.flags;
  return Array.isArray(flags) ? flags.filter((flag) => typeof flag === "string") : [];
}

/** Returns why a call is not as wanted, with the flags that would allow it, and the warnings about it. */
export function failureReason({ result }: BatchAnswer): string {
  const { code = "internal", message = result.text } = result.error ?? {};
  const flags = showFlags(liftingFlags(result));
  const isNamed = message.includes(flags);
  const reason = `${code}: ${onOneLine(message.trim())}${isNamed ? "" : ` (allow it with ${flags})`}`;
  return [reason, ...result.warnings.map(onOneLine)].join("; ");
}

/** Returns the line about a call that is not as wanted. */
export function failureLine(call: BatchAnswer): string {
  const name = call.toolName === "" ? "" : ` (${onOneLine(call.toolName)})`;
  return `${call.kind ?? "call"} ${onOneLine(String(call.id))}${name} ${verdictOf(call)}: ${
    failureReason(call)
  }`;
}
