import { basename, dirname, isAbsolute, join, relative, resolve } from "@std/path";

import { isInside } from "../grants/inside.ts";
import type { PathForms } from "../grants/permission.ts";
import { realOrNull } from "./file_facts.ts";
import { followLinks, type LinkReader } from "./follow_links.ts";

/** What is needed to find what a path of a call leads to. */
export interface PathPlace {
  workspace: string;
  /** A folder as the user wrote it, and its real path. */
  aliases: readonly (readonly [string, string])[];
}

/**
 * Returns the real path behind a path of a call, as the path guard finds it: also where nothing is there yet. What
 * cannot be looked at counts as no link. Needs `read` to follow links.
 *
 * @returns `null` if the links lead in a circle
 */
export function realTarget(path: string, place: PathPlace): string | null {
  const real = followLinks(absolutePath(path, place), ["/"], LINKS);
  return real === null ? null : asOnDisk(real);
}

/**
 * Returns the forms of a path for conditions. Some tools read `~` as the home folder and others as a name: both count.
 *
 * @param place `home` is the user's home folder, `""` if it is unknown
 */
export function pathForms(path: string, place: PathPlace & { home: string }): PathForms {
  const { home, workspace } = place;
  const expanded = home === "" ? path : path.replace(/^~(?=\/|$)/, () => home);
  const paths = [...new Set([path, expanded])];
  const real = paths.flatMap((one) => realTarget(one, place) ?? []);
  const targets = real.length < paths.length ? [] : real.map((one) => formsOf(one, workspace));
  return {
    real,
    targets,
    spelled: paths.flatMap((one) => formsOf(resolve(absolutePath(one, place)), workspace)),
  };
}

/** Where upper and lower case are the same file, the disk says which one it is. */
function asOnDisk(path: string): string {
  const real = realOrNull(path);
  if (real !== null || path === "/") return real ?? path;
  return join(asOnDisk(dirname(path)), basename(path));
}

function formsOf(path: string, workspace: string): string[] {
  return isInside(workspace, path) ? [relative(workspace, path) || ".", path] : [path];
}

/** Joined by hand: `resolve` would drop `link/..` before the link is followed. */
function absolutePath(path: string, { workspace, aliases }: PathPlace): string {
  const spelled = isAbsolute(path) ? path : `${workspace}/${path}`;
  const alias = aliases.find(([from]) => isInside(from, spelled));
  return alias ? `${alias[1]}${spelled.slice(alias[0].length)}` : spelled;
}

const LINKS: LinkReader = {
  lstat(path) {
    try {
      return Deno.lstatSync(path);
    } catch {
      return null;
    }
  },
  readLink(path) {
    try {
      return Deno.readLinkSync(path);
    } catch {
      return path;
    }
  },
};
