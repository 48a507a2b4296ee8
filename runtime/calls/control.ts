import type { AuditRecord } from "../../schemas/audit.ts";
import type { Question } from "../../schemas/context.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Confirm, Permission, PermissionPredicate } from "../../schemas/permission.ts";
import type { Hooks } from "./hooks.ts";

/**
 * Asks a person a model's question, for one line of an answer; `null` if nobody is there any more. Stops waiting when
 * the signal aborts, and whatever it returns then is not heard.
 */
export type AskPerson = (
  question: Question & { tool: string },
  options: { signal: AbortSignal },
) => Promise<string | null>;

/** What stands between a caller and the tools: who may call what, who is asked, and who takes note. */
export interface CallControl {
  /** Names the run in the audit. */
  runId: string;
  /** Who calls, `null` if nobody said. */
  role: string | null;
  /** Returns a tool as the user configured it. */
  configure(entry: ManifestEntry): ManifestEntry;
  /** Returns what must all let a call of the tool through; the strictest counts. */
  permissions(entry: ManifestEntry): readonly (Permission | PermissionPredicate)[];
  /** `null` if nobody can be asked. */
  confirm: Confirm | null;
  /** Takes models' questions to a person; `null` if nobody can be asked. */
  ask: AskPerson | null;
  hooks: readonly Hooks[];
  /** Takes a line of the audit; `null` if none is kept. Must not fail. */
  audit: ((record: AuditRecord) => void) | null;
  /** Masks the secrets of a text. */
  redact(text: string): string;
}
