import type { AuditRecord } from "../../schemas/audit.ts";
import type { Question } from "../../schemas/context.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Confirm, Permission, PermissionPredicate } from "../../schemas/permission.ts";
import type { RememberedConsents } from "./consent.ts";
import type { Hooks } from "./hooks.ts";

/**
 * Asks a person a model's question, for one line of an answer; `null` if the person is gone. Stops waiting
 * when the signal aborts. A later answer is ignored. What is an answer itself gives the person the turn.
 */
export type AskPerson = (
  question: Question & { tool: string; isAnswer?: boolean },
  options: { signal: AbortSignal },
) => Promise<string | null>;

/** What stands between a caller and the tools: it decides who may call, asks the person, keeps the audit. */
export interface CallControl {
  /** Names the run in the audit. */
  runId: string;
  /** The caller's role, `null` if it is unknown. */
  role: string | null;
  /** Returns a tool as the user configured it. */
  configure(entry: ManifestEntry): ManifestEntry;
  /** Returns the permissions that must all allow a call of the tool; the strictest counts. */
  permissions(entry: ManifestEntry): readonly (Permission | PermissionPredicate)[];
  /** `null` if there is no person to ask. */
  confirm: Confirm | null;
  /** What persons have agreed to for the rest of the run. */
  consents: RememberedConsents;
  /** Takes models' questions to a person; `null` if there is no person to ask. */
  ask: AskPerson | null;
  hooks: readonly Hooks[];
  /** Takes a line of the audit; `null` without an audit. Must not fail. */
  audit: ((record: AuditRecord) => void) | null;
  /** Masks the secrets of a text. */
  redact(text: string): string;
}
