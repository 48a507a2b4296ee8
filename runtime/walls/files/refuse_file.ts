import { resolve } from "@std/path";

import type { FileGrants } from "../../../schemas/grants.ts";
import { flagWord } from "../grants/flag_word.ts";
import { isInside } from "../grants/inside.ts";
import { covers, isInCopy, type Refusal, refusePath } from "../grants/path_access.ts";
import { lstat } from "./file_facts.ts";
import { gitPlaceOf } from "../git/git_folder.ts";
import { withoutLogins } from "./logins.ts";

/** A path as it was spelled, and where its links lead. */
export interface Followed {
  path: string;
  real: string;
}

/**
 * Decides whether a file may be touched. A link outside the grants that points into them may be named only if its own
 * place is granted too. Needs `read` of the granted folders.
 *
 * @returns `null` if it is allowed
 */
export function refuseFile(
  access: "read" | "write",
  { path, real }: Followed,
  grants: FileGrants,
): Refusal | null {
  const refusal = refusePath(access, resolve(path), grants) ?? refusePath(access, real, grants);
  return refusal ?? (access === "write" ? refuseGitPlace(real, grants) : refuseLogins(real, grants));
}

/** Refuses settings of git that log in somewhere: they are secrets whose names do not tell it. */
function refuseLogins(path: string, { secrets }: FileGrants): Refusal | null {
  if (covers(secrets, path) || withoutLogins(path) === null) return null;
  return { kind: "read", target: path, reason: "secret", flags: [flagWord("--allow-secrets", [path])] };
}

/**
 * Refuses a file that would change how git sees a repository, or make one where none is: git runs what the settings of
 * any repository say in which it finds itself.
 */
function refuseGitPlace(path: string, grants: FileGrants): Refusal | null {
  const { writeNamed } = grants;
  if (isInCopy(path, grants)) return null;
  const place = gitPlaceOf(path, (at) => lstat(at) !== null);
  if (place === null) return null;
  const { folder, isNew } = place;
  const isNamed = writeNamed.some((grant) =>
    isInside(grant, path) && isInside(folder, grant) && !(isNew && grant === folder)
  );
  if (isNamed) return null;
  const why = isNew
    ? `with it, git would take "${folder}" for a repository and run what its settings say`
    : `it is one of git's own files in the repository "${folder}"`;
  return {
    kind: "write",
    target: path,
    reason: "protected",
    why,
    flags: [flagWord("--allow-write", [path])],
  };
}
