import type { Grants, Scope } from "../../../schemas/grants.ts";
import { isInside } from "./inside.ts";

/**
 * Narrows grants to what lies in some folders or files: nothing else may be read or written, whatever was granted. What
 * is not a matter of paths stays. If the workspace lies outside, the first of what may be read takes its place.
 *
 * @param within Absolute, real paths
 * @returns `null` if none of them is granted, so that no folder is left to work in
 */
export function narrowGrants(grants: Grants, within: readonly string[]): Grants | null {
  const narrow = (scope: Scope): Scope => commonPaths(scope, within);
  const allow = { ...grants.allow, read: narrow(grants.allow.read), write: narrow(grants.allow.write) };
  const stays = within.some((path) => isInside(path, grants.workspace));
  const workspace = stays ? grants.workspace : foldersOf(allow.read)[0];
  if (workspace === undefined) return null;
  const listed = (paths: readonly string[]) => foldersOf(commonPaths(paths, within));
  return {
    ...grants,
    workspace,
    allow,
    secrets: listed(grants.secrets),
    writeNamed: listed(grants.writeNamed),
    makes: grants.makes.filter((path) => within.some((folder) => isInside(folder, path))),
  };
}

/** What lies in both; `true` is everything. */
export function commonPaths(scope: Scope, within: readonly string[]): Scope {
  if (within.includes("/")) return scope;
  if (scope === true) return within;
  const both = scope.flatMap((path) =>
    within.flatMap((folder) => isInside(folder, path) ? [path] : isInside(path, folder) ? [folder] : [])
  );
  return [...new Set(both)];
}

function foldersOf(scope: Scope): readonly string[] {
  return scope === true ? ["/"] : scope;
}
