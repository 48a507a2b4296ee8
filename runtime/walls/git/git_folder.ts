// Git takes a folder for a repository by what is in it, whatever its name.

/** What of a git folder makes git run something, or decides which settings it reads. */
export const GIT_PARTS: readonly string[] = [
  ...["config", "config.worktree", "hooks", "info/attributes", "gitdir", "commondir", "rebase-merge"],
];

/** Where a path lies in a git folder. */
export interface GitPlace {
  /** The git folder. */
  folder: string;
  /** The path below it. */
  part: string;
  /** The file would make the folder one. */
  isNew: boolean;
}

/** All names of git's that only git writes; a folder is looked at if one of them lies in it. */
const OWN =
  /\/(?:HEAD|config(?:\.worktree)?|objects|refs|hooks|info|gitdir|commondir|modules|worktrees|rebase-merge|rebase-apply|sequencer|remotes|branches)(?=\/|$)/gi;
/** Files of a git folder that people and tools write, and that start nothing. */
const OPEN = /^info\/(exclude|sparse-checkout)$/i;

/**
 * Says whether git takes a folder for a repository. What the names are is not looked at: any file is enough.
 *
 * @param has Says whether the folder has an entry
 */
export function holdsRepository(has: (name: string) => boolean): boolean {
  return has("HEAD") && (has("commondir") || has("objects") && has("refs"));
}

/**
 * Finds the git folder in which a file is, or which the file would complete. Asks only where the path has names of
 * git's.
 *
 * @param path Absolute, real path
 * @param exists Says whether something is at a path
 * @returns `null` if there is none, or if the file is one that starts nothing
 */
export function gitPlaceOf(path: string, exists: (path: string) => boolean): GitPlace | null {
  for (const { index, 0: match } of path.matchAll(OWN)) {
    const folder = path.slice(0, index);
    const part = path.slice(index + 1);
    const name = match.slice(1).toLowerCase();
    const has = (entry: string) => exists(`${folder}/${entry}`);
    if (holdsRepository(has)) {
      if (OPEN.test(part)) continue;
      return { folder, part, isNew: false };
    }
    if (holdsRepository((entry) => entry.toLowerCase() === name || has(entry))) {
      return { folder, part, isNew: true };
    }
  }
  return null;
}
