import { dirname } from "@std/path";

import type { Scope } from "../../../schemas/grants.ts";
import { isInside } from "../grants/inside.ts";
import { covers } from "../grants/path_access.ts";
import type { DiskView } from "./disk_view.ts";

/** System folders that programs need; absent ones are left out. */
export const SYSTEM_FOLDERS: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
];

/** What a box closes within the folders that it shows. Absolute, real paths. */
export interface ClosedPaths {
  /** Secrets, and what was denied: not to be seen. */
  hidden: readonly string[];
  /** What may be read and not changed. */
  frozen: readonly string[];
}

/**
 * A box's own folders of the kernel. Root owns their settings and stays root in a box, so file modes alone
 * would leave them writable. One of them names a program that the kernel starts outside.
 */
export const KERNEL_FOLDERS: readonly string[] = [
  ...["--proc", "/proc"],
  ...["--ro-bind", "/proc/sys", "/proc/sys"],
  ...["--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"],
  ...["--dev", "/dev"],
];

/**
 * What every box cuts off. A program on a terminal keeps its session, so that it keeps its terminal. Words that are
 * themselves the first process of the box keep the power to take powers away. The environment of who starts it is handed on
 * only if that is the program's own.
 */
export function isolation(
  keeps: { network: boolean; terminal: boolean; first?: boolean; environment?: boolean },
): string[] {
  return [
    "--unshare-user",
    "--unshare-all",
    ...(keeps.network ? ["--share-net"] : []),
    "--disable-userns",
    "--die-with-parent",
    ...(keeps.terminal ? [] : ["--new-session"]),
    ...["--cap-drop", "ALL"],
    ...(keeps.first ? ["--cap-add", "CAP_SETPCAP", "--as-pid-1"] : []),
    ...(keeps.environment ? [] : ["--clearenv"]),
  ];
}

/** Binds the system's folders read-only; those that are links stay links. */
export function systemFolderBinds(disk: DiskView): string[] {
  return SYSTEM_FOLDERS.flatMap((path) => {
    const info = disk.lstat(path);
    if (!info) return [];
    return info.isSymlink ? ["--symlink", disk.readLink(path), path] : ["--ro-bind", path, path];
  });
}

/** Binds what is granted, parents before children; a folder inside one that is bound the same way needs no bind. */
export function grantBinds(profile: { read: Scope; write: Scope }, disk: DiskView): string[] {
  const listed = (scope: Scope) => scope === true ? [] : scope;
  const writable = new Set(listed(profile.write).map((path) => deepestExisting(path, disk)));
  const readable = listed(profile.read).filter((path) => disk.lstat(path));
  const paths = [...new Set([...readable, ...writable])].filter((path) => path !== "/");
  const bound: { path: string; mode: string }[] = [
    ...(profile.read === true ? [{ path: "/", mode: profile.write === true ? "--bind" : "--ro-bind" }] : []),
  ];
  const argv: string[] = [];
  for (const path of paths.sort((a, b) => a.length - b.length)) {
    const mode = writable.has(path) || covers(profile.write, path) ? "--bind" : "--ro-bind";
    const above = bound.findLast((bind) => isInside(bind.path, path));
    if (above?.mode === mode) continue;
    bound.push({ path, mode });
    argv.push(mode, path, path);
  }
  return argv;
}

/** A missing path cannot be bound. The box shows its folder, and Deno's permissions hold the name. */
export function deepestExisting(path: string, disk: DiskView): string {
  return path === "/" || disk.lstat(path) ? path : deepestExisting(dirname(path), disk);
}

/** Without these the room could not start. The path guard alone protects denied paths in them. */
export function isOfBox(path: string, workspace: string): boolean {
  return ["/proc", "/dev", ...SYSTEM_FOLDERS].some((own) => isInside(own, path) && !isInside(own, workspace));
}
