import { basename, join } from "@std/path";

import type { FileGrants, Scope } from "../../../schemas/grants.ts";
import { namesIn } from "../../walls/files/file_facts.ts";
import { GIT_PARTS } from "../../walls/git/git_folder.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { isOdd } from "../bytes/odd_names.ts";
import { type ForeignRepository, type LinkedRepository, linkedRepository } from "../git/linked_repository.ts";
import type { Finding } from "../protected/scan_folder.ts";
import type { ProgramView } from "./program_view.ts";

/** What programs see of a disk, and may change there. */
export interface Sighted {
  view: ProgramView;
  files: FileGrants;
}

/** The repositories of working trees whose `.git` leads out of what is granted. */
export interface OuterRepositories {
  linked: readonly LinkedRepository[];
  /** Those that no flag of the user and nothing in them gives to the tree. */
  foreign: readonly ForeignRepository[];
}

/** Most repositories of other folders that programs see. */
const MAX_LINKED = 50;
/** What git writes in the folder that working trees share, when it works in one of them. */
const SHARED = new Set([
  ...["objects", "refs", "logs", "packed-refs", "reftable", "shallow", "worktrees"],
  ...["gc.pid", "gc.log", "lfs", "rr-cache"],
]);
/** What else belongs to a git folder. */
const OF_GIT = new Set([
  ...["HEAD", "FETCH_HEAD", "ORIG_HEAD", "COMMIT_EDITMSG", "index", "config", "config.worktree", "info"],
  ...["hooks", "modules", "branches", "remotes", "description"],
]);

/** Looks at each `.git` that a scan found. Needs `read`. */
export function outerRepositories(
  findings: readonly Pick<Finding, "path" | "info">[],
  { view, files }: Sighted,
): OuterRepositories {
  const isWhole = (path: string) =>
    covers(view.shown, path) &&
    (covers(view.writable, path) || files.write !== true && files.write.length === 0);
  // What is denied stays so.
  const isBarred = ({ common }: LinkedRepository) =>
    covers(files.denyRead, common) || covers(files.own ?? [], common) || isSecret(common, files.workspace);
  const found = findings.filter(({ path, info }) =>
    !info.isDirectory && basename(path) === ".git" && !isOdd(path)
  ).flatMap(({ path }) => linkedRepository(path) ?? []);
  return {
    linked: found.filter((one) => "common" in one)
      .filter((one) => !isWhole(one.common) && !isBarred(one)).slice(0, MAX_LINKED),
    foreign: found.filter((one) => "leads" in one).filter(({ leads }) => !covers(view.shown, leads)),
  };
}

/**
 * Shows repositories to programs. Where they may write the tree, they may write what git writes there; what belongs to
 * other working trees stays as it is, and so does what git runs or obeys, as everywhere.
 */
export function showRepositories(linked: readonly LinkedRepository[], { view, files }: Sighted): Sighted {
  const folders = [...new Set(linked.map(({ common }) => common))];
  // Refs and objects would leave the copy.
  const open = folders.filter((folder) =>
    !files.isCopy && !covers(files.denyWrite, folder) &&
    linked.some(({ tree, common }) => common === folder && covers(view.writable, tree))
  );
  const shut = linked.filter(({ common }) => open.includes(common) && !covers(view.writable, common));
  const isGranted = (path: string) => view.shown.some((at) => isInside(at, path) || isInside(path, at));
  const parts = shut.flatMap((one) => partsOf(one, shut)).filter((path) => !isGranted(path));
  const strangers = linked.flatMap(strangersIn).filter((path) => !isGranted(path));
  const shown = [...view.shown, ...folders.filter((folder) => !covers(view.shown, folder))];
  return {
    view: {
      ...view,
      shown,
      writable: [...view.writable, ...open],
      roots: [...view.roots, ...folders.map((path) => ({ path }))],
      shows: (path) => view.shows(path) || covers(folders, path),
    },
    files: {
      ...files,
      read: joined(files.read, folders),
      write: joined(files.write, open),
      denyRead: joined(files.denyRead, strangers),
      denyWrite: joined(files.denyWrite, parts),
    },
  };
}

/** What of a shared folder stays as it is. What is protected is found by itself. */
function partsOf({ own, common }: LinkedRepository, all: readonly LinkedRepository[]): string[] {
  // All of it belongs to this tree.
  if (own === common) return [];
  const top = namesIn(common).filter((name) => !SHARED.has(name) && !GIT_PARTS.includes(name))
    .map((name) => join(common, name));
  const others = namesIn(join(common, "worktrees")).map((name) => join(common, "worktrees", name));
  return [...top, ...others.filter((path) => !all.some(({ own }) => own === path))];
}

/** What lies in a git folder and is not git's: the working trees beside this one. */
function strangersIn({ tree, common }: LinkedRepository): string[] {
  if (!isInside(common, tree)) return [];
  return namesIn(common).filter((name) => !SHARED.has(name) && !OF_GIT.has(name))
    .map((name) => join(common, name));
}

function joined(scope: Scope, paths: readonly string[]): Scope {
  return scope === true ? true : [...new Set([...scope, ...paths])];
}
