import { basename, dirname, join } from "@std/path";

import type { FileGrants } from "../../../schemas/grants.ts";
import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { PERSONAL_FOLDERS } from "../../walls/grants/personal_folders.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;

/**
 * Returns why a part of a toolchain must not be shown, `null` if it may be.
 *
 * @param real The part's real path
 * @param root The toolchain's folder as the user has it, and its real path
 * @param files What programs may touch, and the {@linkcode keptFolders}
 */
export function whyUnsafe(
  real: string,
  root: { spelled: string; real: string },
  files: Pick<FileGrants, "workspace" | "home" | "denyRead"> & { kept: readonly string[] },
): string | null {
  const { workspace, home, denyRead, kept } = files;
  if (!isInside(root.real, real)) return `it is a link to ${real}`;
  const isLink = join(realOrNull(dirname(root.spelled)) ?? "/", basename(root.spelled)) !== root.real;
  if (real === root.real && isLink && isInside(home, real)) return `it is a link to ${real}`;
  const held = kept.find((folder) => isInside(real, folder));
  if (held !== undefined) return `it holds ${held}`;
  if (isSecret(real, workspace)) return "it holds secrets";
  if (covers(denyRead, real)) return "--deny-read names it";
  const open = upTo(root.real, real).find(othersWrite);
  return open === undefined ? null : `other users may write ${open}`;
}

/** Returns the real paths of folders that no toolchain may hold. */
export function keptFolders({ workspace, home }: Pick<FileGrants, "workspace" | "home">): string[] {
  const personal = PERSONAL_FOLDERS.map((name) => join(home, name));
  return [home, workspace, ...personal.map((path) => realOrNull(path) ?? path)];
}

function upTo(root: string, path: string): string[] {
  return path === root || path === dirname(path) ? [path] : [path, ...upTo(root, dirname(path))];
}

function othersWrite(path: string): boolean {
  const info = lstat(path);
  if (info === null || info.uid === null || info.mode === null) return true;
  if (info.uid !== 0 && info.uid !== Deno.uid()) return true;
  if (info.mode & OTHERS_WRITE) return true;
  return (info.mode & GROUP_WRITES) !== 0 && info.gid !== 0 && info.gid !== Deno.gid();
}
