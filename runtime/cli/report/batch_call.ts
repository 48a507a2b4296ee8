import type { CallId } from "../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { shellQuote } from "../../text/shell_quote.ts";
import { onOneLine } from "../../text/strip_controls.ts";

/** A call of a batch that has ended. */
export interface BatchAnswer {
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

/** Returns the flag that would allow a refused call, written for a shell; `null` if no flag would. */
export function liftingFlag({ error }: ToolResult): string | null {
  const flag = error?.details.flag;
  if (error?.code !== "permission_denied" || typeof flag !== "string" || flag.startsWith("--deny-")) {
    return null;
  }
  return onOneLine(/^[\w@%+=:,./-]+$/.test(flag) ? flag : shellQuote(flag));
}

/** Returns why a call is not as wanted, with the flag that would allow it, and the warnings about it. */
export function failureReason({ result }: BatchAnswer): string {
  const { code = "internal", message = result.text } = result.error ?? {};
  const flag = liftingFlag(result);
  const isNamed = message.includes(String(result.error?.details.flag));
  const reason = `${code}: ${onOneLine(message.trim())}${
    flag === null || isNamed ? "" : ` (allow it with ${flag})`
  }`;
  return [reason, ...result.warnings.map(onOneLine)].join("; ");
}

/** Returns the line about a call that is not as wanted. */
export function failureLine(call: BatchAnswer): string {
  const name = call.toolName === "" ? "" : ` (${onOneLine(call.toolName)})`;
  return `call ${onOneLine(String(call.id))}${name} ${verdictOf(call)}: ${failureReason(call)}`;
}
