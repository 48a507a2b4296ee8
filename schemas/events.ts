import type { AccessKind } from "./access.ts";
import type { Progress } from "./context.ts";
import type { Grants } from "./grants.ts";
import type { ToolResult } from "./result.ts";

/** Why a run ended. */
export type TerminationReason = "completed" | "call_failed" | "interrupted";

/** What happens in a run, one object an event; on the wire each carries `"v": 1`. */
export type RunEvent =
  | {
    type: "run.start";
    run_id: string;
    command: string;
    workspace: string;
    grants: Pick<Grants, "policy" | "allow" | "deny">;
  }
  | { type: "tool.start"; id: CallId; tool: string; arguments: unknown }
  | ({ type: "tool.progress"; id: CallId } & Progress)
  /** Outside the grants: the flag would let it. */
  | { type: "permission"; id: CallId; decision: "refused"; kind: AccessKind; target: string; flag: string }
  /** Against a rule, of a policy, a permission or a hook. */
  | { type: "permission"; id: CallId; decision: "refused"; rule: string }
  /** A person agreed. */
  | { type: "permission"; id: CallId; decision: "confirmed" }
  | { type: "tool.end"; id: CallId; result: ToolResult }
  | {
    type: "run.end";
    exit_code: number;
    termination_reason: TerminationReason;
    usage: { calls: number; failed: number };
  };

/** A call's name within its run: the caller's own, or its number. */
export type CallId = string | number;
