import type { Target } from "./access.ts";
import type { Risk } from "./command.ts";
import type { ErrorCode } from "./error.ts";
import type { PolicyName } from "./grants.ts";
import type { Place } from "./result.ts";

/** A program that a call started. */
export interface AuditedProgram {
  /** The words that it was started with. */
  argv: readonly string[];
  /** Its folder. */
  cwd: string;
  /** It ran in the operating-system box. */
  boxed: boolean;
  /** `null` if it still runs, as a session does. */
  exit_code: number | null;
  /** How long it ran, in milliseconds. */
  duration_ms: number;
  /** Bytes that it wrote to stdout and stderr. */
  bytes: number;
}

/** One line of the audit: one call, allowed or refused. Secrets are masked. */
export interface AuditRecord {
  /** Version of the form. */
  v: 1;
  /** ISO 8601. */
  time: string;
  /** Names the run. */
  run_id: string;
  /** Full name of the tool. */
  tool: string;
  /** What the tool got. */
  arguments: unknown;
  /** The folder that tools work in. */
  workspace: string;
  /** Name of the policy. */
  policy: string;
  /** The built-in policy that it is based on. */
  base: PolicyName;
  /** `confirmed` by a person; `refused` before it started. */
  decision: "allowed" | "confirmed" | "refused";
  /** The rule or permission that refused the call; `null` in all other cases. */
  rule: string | null;
  /** The highest risk of its commands; `null` without one. */
  risk: Risk | null;
  /** What the call declared it would touch; paths are real. */
  touched: readonly Pick<Target, "kind" | "value">[];
  /** The programs that it started. */
  programs: readonly AuditedProgram[];
  /** The first program's, for readers with simple tools; `null` without a program. */
  argv: readonly string[] | null;
  /** The first program's folder; `null` without a program. */
  cwd: string | null;
  /** The first program's; `null` without one, or while it runs. */
  exit_code: number | null;
  /** Whether the call succeeded. */
  ok: boolean;
  /** Why it failed; `null` if it succeeded. */
  error: ErrorCode | null;
  /** The flag that would have allowed a refused call. */
  flag: string | null;
  /** Where it ran. */
  place: Place;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** Length of the text that came back, in UTF-8 bytes. */
  bytes: number;
}
