import type { Target } from "./access.ts";
import type { Risk } from "./command.ts";
import type { ErrorCode } from "./error.ts";
import type { PolicyName } from "./grants.ts";
import type { Place } from "./result.ts";

/** A program that a call started. */
export interface AuditedProgram {
  argv: readonly string[];
  cwd: string;
  /** It ran in the operating-system box. */
  boxed: boolean;
  /** `null` if it still runs, as a session does. */
  exit_code: number | null;
  duration_ms: number;
  /** Bytes that it wrote to stdout and stderr. */
  bytes: number;
}

/** One line of the audit: one call, allowed or refused. Secrets are masked. */
export interface AuditRecord {
  v: 1;
  /** ISO 8601. */
  time: string;
  run_id: string;
  tool: string;
  arguments: unknown;
  workspace: string;
  policy: string;
  /** The built-in policy that it is based on. */
  base: PolicyName;
  /** `confirmed` by a person; `refused` before it started. */
  decision: "allowed" | "confirmed" | "refused";
  /** The rule or permission that refused the call; `null` in all other cases. */
  rule: string | null;
  risk: Risk | null;
  /** What the call declared it would touch; paths are real. */
  touched: readonly Pick<Target, "kind" | "value">[];
  programs: readonly AuditedProgram[];
  /** The first program's, for readers with simple tools; `null` without a program. */
  argv: readonly string[] | null;
  cwd: string | null;
  exit_code: number | null;
  ok: boolean;
  error: ErrorCode | null;
  /** The flag that would have allowed a refused call. */
  flag: string | null;
  place: Place;
  duration_ms: number;
  /** Length of the text that came back, in UTF-8 bytes. */
  bytes: number;
}
