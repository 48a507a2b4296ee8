import { basename, dirname } from "@std/path";

import { lstat, namesIn } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";
import { type KnownEntries, linksTo } from "./links_to.ts";

/** A repository as git finds it. */
export interface Repository {
  /** git's own folders, real: the one of the working tree, and the one that it shares with others. */
  folders: readonly string[];
  /** Tops of its working trees, as far as its files say. */
  trees: readonly string[];
  /** The links on the way to its folders. */
  links: readonly string[];
}

/** Longest chain of files that name a folder. */
const MAX_HOPS = 5;
/** Largest file of git's that is read, in bytes. */
const MAX_BYTES = 64 * 1024;

/**
 * Follows what git follows: links, the file `.git` that names a folder, `commondir`, and the lists of working trees.
 *
 * @param place A `.git` of any kind, or a folder that git takes for a repository; it may lead to what is not there
 * @param known What was seen a moment ago, and takes what is seen now
 * @returns `null` if it leads nowhere. Needs `read`
 */
export function repositoryAt(place: string, known?: KnownEntries): Repository | null {
  const links: string[] = [];
  const endOf = (path: string) => {
    const led = linksTo(path, known);
    links.push(...led.links);
    return led.end;
  };
  const own = folderBehind(place, endOf);
  if (own === null) return null;
  const shared = lineOf(`${own}/commondir`);
  const common = shared === null ? own : endOf(from(own, shared));
  const isInTree = basename(place).toLowerCase() === ".git";
  const lists = [own, ...namesIn(`${common}/worktrees`).map((name) => `${common}/worktrees/${name}`)];
  const listed = lists.flatMap((folder) => {
    const line = lineOf(`${folder}/gitdir`);
    return line === null ? [] : [dirname(endOf(from(folder, line)))];
  });
  const beside = basename(common).toLowerCase() === ".git" ? [dirname(common)] : [];
  return {
    folders: [...new Set([own, common])],
    trees: [...new Set([...isInTree ? [dirname(place)] : [], ...listed, ...beside])],
    links,
  };
}

function folderBehind(place: string, endOf: (path: string) => string): string | null {
  let at = place;
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const real = endOf(at);
    if (lstat(real)?.isFile !== true) return real;
    const target = /^gitdir: ([^\r\n]+)/.exec(textOf(real) ?? "")?.[1];
    if (target === undefined) return null;
    at = from(dirname(at), target);
  }
  return null;
}

function from(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function lineOf(path: string): string | null {
  const line = textOf(path)?.trim();
  return line ? line : null;
}

function textOf(path: string): string | null {
  return readSettingsText(path, { maxBytes: MAX_BYTES });
}
