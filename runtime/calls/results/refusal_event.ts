import type { AccessKind } from "../../../schemas/access.ts";
import type { ErrorInfo } from "../../../schemas/error.ts";
import type { CallId, RunEvent } from "../../../schemas/agent/events.ts";

/** Returns the event that tells of a refusal, `null` if the call was not refused. */
export function refusalEvent(id: CallId, error: ErrorInfo | null): RunEvent | null {
  const { kind, target, flag, rule } = error?.details ?? {};
  if (error?.code === "permission_denied" && typeof flag === "string") {
    const refusal = { kind: kind as AccessKind, target: String(target), flag };
    return { type: "permission", id, decision: "refused", ...refusal };
  }
  if (error?.code !== "denied_by_policy") return null;
  return { type: "permission", id, decision: "refused", rule: String(rule ?? "policy") };
}
