import type { AccessKind } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants, Scope } from "../../../schemas/grants.ts";
import { isSecret } from "./secret_paths.ts";
import { isProtected } from "./protected_paths.ts";
import { isInside } from "./inside.ts";

/** Why a path must not be touched. */
export interface Refusal {
  kind: AccessKind;
  target: string;
  reason: "outside" | "denied" | "secret" | "protected";
  /** The flag that would grant it. For a denied path, the flag to remove. */
  flag: string;
}

/** Says whether a list of folders, or everything, covers a path. */
export function covers(scope: Scope, path: string): boolean {
  return scope === true || scope.some((folder) => isInside(folder, path));
}

/**
 * Decides whether a path may be touched. This is the one place for this decision: the path guard, the check
 * of a call's targets and `explain` all use it.
 *
 * @param path Absolute, real path
 * @returns `null` if it is allowed
 */
export function refusePath(kind: "read" | "write", path: string, grants: FileGrants): Refusal | null {
  const allow = kind === "read" ? grants.read : grants.write;
  const deny = kind === "read" ? grants.denyRead : grants.denyWrite;
  if (covers(deny, path)) return { kind, target: path, reason: "denied", flag: `--deny-${kind}` };
  if (!covers(allow, path)) return { kind, target: path, reason: "outside", flag: `--allow-${kind}=${path}` };
  if (isSecret(path, grants.workspace) && !covers(grants.secrets, path)) {
    return { kind, target: path, reason: "secret", flag: `--allow-secrets=${path}` };
  }
  if (kind === "write" && isProtected(path) && !namesProtected(grants.writeNamed, path)) {
    return { kind, target: path, reason: "protected", flag: `--allow-write=${path}` };
  }
  return null;
}

/** A grant lifts the protection only if it names the protected file or a protected folder above it. */
function namesProtected(named: readonly string[], path: string): boolean {
  return named.some((grant) => isInside(grant, path) && isProtected(grant));
}

/**
 * Returns the error for a refusal. It names the request, the reason, and the flag that changes the answer.
 */
export function refusalError(refusal: Refusal, asked: string, workspace: string): ToolError {
  const { kind, target, reason, flag } = refusal;
  const shown = asked === target ? `"${asked}"` : `"${asked}" (${target})`;
  const why = {
    outside: `it is outside the granted folders, pass ${flag} to grant it`,
    denied: `it is denied by ${flag}`,
    secret: `files that hold secrets are blocked, pass ${flag} to grant it`,
    protected: `other programs execute this file, pass ${flag} to grant it by name`,
  }[reason];
  return new ToolError("permission_denied", `Cannot ${kind} ${shown}: ${why}`, {
    details: { ...refusal, asked, workspace },
  });
}
