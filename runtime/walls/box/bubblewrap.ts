import { dirname, join } from "node:path";

import type { Scope } from "../../../schemas/grants.ts";
import { covers } from "../grants/path_access.ts";
import { isInside, isSecretEntry, SECRET_NAMES } from "../grants/secret_paths.ts";
import type { RoomCommand } from "../../rooms/process_link.ts";
import type { RoomProfile } from "../../rooms/profile.ts";
import type { Self } from "../../self/find_self.ts";

/** What the box maker asks of the file system. */
export interface BoxEyes {
  /** `null` if nothing is there. Links are not followed. */
  lstat(path: string): { isDirectory: boolean; isSymlink: boolean } | null;
  readLink(path: string): string;
  /** Names in a folder; empty if it cannot be read. */
  list(path: string): string[];
}

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
const SYSTEM_FILES = ["/etc/ld.so.cache", "/etc/localtime", "/nix/store"];
/** Private /tmp of a box, in bytes. */
const TMP_BYTES = 64 * 1024 * 1024;

/**
 * Makes the command line of a room in a box: it starts empty, holds the system's libraries, the program itself and what
 * the profile grants, with secrets and denied paths masked; no network unless the profile has some.
 *
 * @param bwrap Absolute path of bubblewrap
 */
export function boxedCommand(
  profile: RoomProfile,
  self: Self,
  options: { bwrap: string; prlimit: string | null; eyes: BoxEyes },
): RoomCommand {
  const { bwrap, prlimit, eyes } = options;
  const env = Object.entries({ PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...self.env });
  const argv = [
    ...limited(profile, prlimit),
    bwrap,
    ...isolation({ network: profile.net === true || profile.net.length > 0, terminal: false }),
    ...systemBinds(profile, eyes),
    ...self.files.flatMap((path) => ["--ro-bind", path, path]),
    ...grantBinds(profile, eyes),
    ...masks(profile, self, eyes),
    // The root itself is an empty tmpfs, unless everything is granted.
    ...(profile.read === true || profile.write === true ? [] : ["--remount-ro", "/"]),
    "--chdir",
    "/",
    ...env.flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...self.argv,
  ];
  return { argv, env: {} };
}

/** The command line of a room process without a box: bounded memory is all that the system adds. */
export function unboxedCommand(profile: RoomProfile, self: Self, prlimit: string | null): RoomCommand {
  const env = { HOME: "/tmp", LANG: "C.UTF-8", ...self.env };
  return { argv: [...limited(profile, prlimit), ...self.argv], env };
}

function limited({ dataBytes }: RoomProfile, prlimit: string | null): string[] {
  return prlimit === null ? [] : [prlimit, `--data=${dataBytes}`, "--core=0", "--"];
}

/**
 * A box's own folders of the kernel. To the owner of the settings, which root stays in a box, file modes alone would
 * leave them writable, and one of them names a program that the kernel starts outside.
 */
export const KERNEL_FOLDERS: readonly string[] = [
  ...["--proc", "/proc"],
  ...["--ro-bind", "/proc/sys", "/proc/sys"],
  ...["--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"],
  ...["--dev", "/dev"],
];

/** What every box cuts off. A program on a terminal keeps its session, so that the terminal stays its own. */
export function isolation(keeps: { network: boolean; terminal: boolean }): string[] {
  return [
    "--unshare-user",
    "--unshare-all",
    ...(keeps.network ? ["--share-net"] : []),
    "--disable-userns",
    "--die-with-parent",
    ...(keeps.terminal ? [] : ["--new-session"]),
    "--cap-drop",
    "ALL",
    "--clearenv",
  ];
}

function systemBinds(profile: RoomProfile, eyes: BoxEyes): string[] {
  const everything = profile.write === true
    ? ["--bind", "/", "/"]
    : profile.read === true
    ? ["--ro-bind", "/", "/"]
    : systemFolderBinds(eyes).concat(SYSTEM_FILES.flatMap((path) => ["--ro-bind-try", path, path]));
  return [
    ...everything,
    ...KERNEL_FOLDERS,
    ...(profile.read === true ? [] : ["--size", String(TMP_BYTES), "--tmpfs", "/tmp"]),
  ];
}

/** Binds the system's folders read-only; those that are links stay links. */
export function systemFolderBinds(eyes: BoxEyes): string[] {
  return SYSTEM_FOLDERS.flatMap((path) => {
    const info = eyes.lstat(path);
    if (!info) return [];
    return info.isSymlink ? ["--symlink", eyes.readLink(path), path] : ["--ro-bind", path, path];
  });
}

/** Binds what is granted, parents before children; a folder inside one that is bound the same way needs no bind. */
export function grantBinds(profile: { read: Scope; write: Scope }, eyes: BoxEyes): string[] {
  const listed = (scope: Scope) => scope === true ? [] : scope;
  const writable = new Set(listed(profile.write).map((path) => deepestExisting(path, eyes)));
  const readable = listed(profile.read).filter((path) => eyes.lstat(path));
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

/** What is to be made cannot be bound: the box shows the folder for it, and Deno's permissions hold the name. */
function deepestExisting(path: string, eyes: BoxEyes): string {
  return path === "/" || eyes.lstat(path) ? path : deepestExisting(dirname(path), eyes);
}

/** Hides secrets at the top of what is granted, and what the user denied. */
function masks(profile: RoomProfile, self: Self, eyes: BoxEyes): string[] {
  const { files } = profile;
  const denied = files.denyRead === true ? [] : files.denyRead;
  const frozen = files.denyWrite === true
    ? []
    : files.denyWrite.filter((path) => covers(profile.write, path) && !isOfBox(path, files.workspace));
  const hidden = [...topSecrets(profile, eyes), ...denied]
    .filter((path) => isMaskable(path, eyes) && !isOfBox(path, files.workspace));
  const outermost = [...new Set(hidden)]
    .filter((path) => !hidden.some((other) => other !== path && isInside(other, path)));
  const folders = outermost.filter((path) => eyes.lstat(path)?.isDirectory);
  return [
    ...frozen.flatMap((path) => eyes.lstat(path) ? ["--ro-bind", path, path] : []),
    ...outermost.flatMap((path) =>
      folders.includes(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]
    ),
    // A room whose program lies in a denied folder starts all the same.
    ...self.files.filter((file) => folders.some((path) => isInside(path, file)))
      .flatMap((file) => ["--ro-bind", file, file]),
    ...folders.flatMap((path) => ["--remount-ro", path]),
  ];
}

function topSecrets(profile: RoomProfile, eyes: BoxEyes): string[] {
  const { files, read, write } = profile;
  const shown = [
    ...(read === true ? [] : read),
    ...(write === true ? [] : write.map((path) => deepestExisting(path, eyes))),
  ];
  const homes = [files.workspace, ...(files.home === "" ? [] : [files.home])]
    .filter((path) => read === true || write === true || covers(shown, path));
  return [...new Set([...shown, ...homes])]
    .flatMap((top) => secretsAtTop(top, eyes))
    .filter((path) => !files.secrets.some((allowed) => isInside(allowed, path) || isInside(path, allowed)));
}

function secretsAtTop(top: string, eyes: BoxEyes): string[] {
  const nested = SECRET_NAMES.filter((name) => name.includes("/")).map((name) => join(top, name));
  const listed = eyes.list(top).map((name) => join(top, name)).filter(isSecretEntry);
  return [...nested, ...listed];
}

/** A link is not masked: its target is outside, masked itself, or refused by the guard. */
function isMaskable(path: string, eyes: BoxEyes): boolean {
  return eyes.lstat(path)?.isSymlink === false && !eyes.lstat(dirname(path))?.isSymlink;
}

/** Without these the room could not start; the path guard alone keeps what is denied in them. */
export function isOfBox(path: string, workspace: string): boolean {
  return ["/proc", "/dev", ...SYSTEM_FOLDERS].some((own) => isInside(own, path) && !isInside(own, workspace));
}
