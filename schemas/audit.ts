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
  /** Walls of the system enclosed it: bubblewrap, Landlock, or a profile of macOS. */
  boxed: boolean;
  /** The wall was Landlock. @default another one, or none */
  wall?: "landlock";
  /** `null` if it still runs, as a session does. */
  exit_code: number | null;
  /** How long it ran, in milliseconds. */
  duration_ms: number;
  /** Bytes that it wrote to stdout and stderr. */
  bytes: number;
}

/** A connection of a call through the gate, or an attempt. */
export interface AuditedConnection {
  /** The tool, or the program that it started. */
  who: string;
  /** As it was asked for. */
  host: string;
  /** Its port. */
  port: number;
  /** The address that was dialled, `null` if none was. */
  address: string | null;
  /** `failed`: it was let, and did not come about. */
  decision: "allowed" | "refused" | "failed";
  /** The word of the list that decided, the reason of a refusal, or what failed. */
  rule: string;
  /** The flag that would have allowed it, `null` if it was allowed or no flag does. */
  flag: string | null;
  /** Bytes that left. */
  sent_bytes: number;
  /** Bytes that came. */
  received_bytes: number;
  /** How many alike it stands for, where a call had more than the record has room for. @default 1 */
  count?: number;
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
  /** Where it and its programs connected to, and where they were refused. */
  connections: readonly AuditedConnection[];
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
