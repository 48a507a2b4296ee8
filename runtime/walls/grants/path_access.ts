import type { AccessKind } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants, Scope } from "../../../schemas/grants.ts";
import { isSecret } from "./secret_paths.ts";
import { isProtected } from "./protected_paths.ts";
import { flagWord, showFlags } from "./flag_word.ts";
import { isInside } from "./inside.ts";

/** Why a path must not be touched. */
export interface Refusal {
  kind: AccessKind;
  target: string;
  reason: "own" | "outside" | "denied" | "secret" | "protected";
  /** Why a protected path is one, if its name does not tell. */
  why?: string;
  /** The flags that would grant it, all of them, as words of a command line; none for a denied path and bulkhead's own. */
  flags: readonly string[];
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
  if (isOwn(kind, path, grants)) return { kind, target: path, reason: "own", flags: [] };
  const allow = kind === "read" ? grants.read : grants.write;
  const deny = kind === "read" ? grants.denyRead : grants.denyWrite;
  if (covers(deny, path)) return { kind, target: path, reason: "denied", flags: [] };
  const isOutside = !covers(allow, path);
  const isHeld = isSecret(path, grants.workspace) && !covers(grants.secrets, path);
  const mayKeep = kind === "write" && !isInCopy(path, grants);
  const executed = mayKeep ? executedAbove(path, grants) : undefined;
  const isKept = executed !== undefined ||
    mayKeep && isProtected(path) && !namesProtected(grants.writeNamed, path);
  if (!isOutside && !isHeld && !isKept) return null;
  const why = grants.whyExecuted?.[executed ?? ""];
  const reason = isOutside ? "outside" : isHeld ? "secret" : "protected";
  return {
    kind,
    target: path,
    reason,
    ...(reason === "protected" && why !== undefined && { why }),
    flags: [
      ...isOutside || isKept ? [flagWord(`--allow-${kind}`, [path])] : [],
      ...isHeld ? [flagWord("--allow-secrets", [path])] : [],
    ],
  };
}

/** Says whether a path is one of bulkhead's own, so that no tool may touch it; what calls left may be read. */
export function isOwn(
  kind: "read" | "write",
  path: string,
  { own = [], artifacts }: Pick<FileGrants, "own" | "artifacts">,
): boolean {
  const isLeft = kind === "read" && artifacts !== undefined && isInside(artifacts, path);
  return covers(own, path) && !isLeft;
}

/** Says whether a path lies in a copy of the workspace, where the user's own tools do not look. */
export function isInCopy(
  path: string,
  { workspace, isCopy }: Pick<FileGrants, "workspace" | "isCopy">,
): boolean {
  return isCopy === true && isInside(workspace, path);
}

/** A grant lifts the protection only if it names the protected file or a protected folder above it. */
function namesProtected(named: readonly string[], path: string): boolean {
  return named.some((grant) => isInside(grant, path) && isProtected(grant));
}

/** What the user's tools execute, and a path that is it or lies in it, unless a grant names that path. */
function executedAbove(path: string, { executed = [], writeNamed }: FileGrants): string | undefined {
  const at = executed.find((at) => isInside(at, path));
  if (at === undefined) return undefined;
  const isNamed = (grant: string) => isInside(grant, path) && executed.some((at) => isInside(at, grant));
  return writeNamed.some(isNamed) ? undefined : at;
}

/** How many granted folders a message names. */
const SHOWN_FOLDERS = 5;

/**
 * Returns the error for a refusal. It names the request, the reason, and the flags that change the answer. Its details
 * have the flags one by one, and as a person pastes them (`pass`).
 */
export function refusalError(refusal: Refusal, asked: string, grants: FileGrants): ToolError {
  const { kind, target, reason, flags } = refusal;
  const { workspace } = grants;
  const shown = asked === target ? `"${asked}"` : `"${asked}" (${target})`;
  const pass = showFlags(flags);
  const granted = grantedFolders(kind === "read" ? grants.read : grants.write, grants);
  const beside = granted.some((folder) => folder !== workspace) ? ` (${listFolders(granted)})` : "";
  const isFrozen = reason === "denied" && kind === "write" && covers(grants.frozen ?? [], target);
  const why = {
    own:
      "bulkhead keeps its sessions, settings and records there, out of reach of every tool, and no flag opens it",
    outside: `it is outside the granted folders${beside}, pass ${pass} to grant it`,
    denied: isFrozen
      ? "this run of bulkhead keeps the file for itself"
      : `it is denied by --deny-${kind} or the configuration`,
    secret: `files that hold secrets are blocked, pass ${pass} to grant it`,
    protected: `${refusal.why ?? "other programs execute this file"}, pass ${pass} to grant it by name`,
  }[reason];
  const flag = reason === "own" || isFrozen
    ? {}
    : reason === "denied"
    ? { flag: `--deny-${kind}` }
    : { flag: flags[0], pass };
  return new ToolError("permission_denied", `Cannot ${kind} ${shown}: ${why}`, {
    details: { ...refusal, ...flag, asked, workspace, granted: listFolders(granted) },
  });
}

/** What of a kind the user granted, without what calls left. */
function grantedFolders(scope: Scope, { artifacts }: FileGrants): readonly string[] {
  return scope === true ? [] : scope.filter((folder) => folder !== artifacts);
}

function listFolders(folders: readonly string[]): string {
  const rest = folders.length - SHOWN_FOLDERS;
  return [...folders.slice(0, SHOWN_FOLDERS), ...rest > 0 ? [`${rest} more`] : []].join(", ");
}
