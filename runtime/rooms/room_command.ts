import { dirname, join } from "@std/path";

import {
  deepestExisting,
  grantBinds,
  isOfBox,
  isolation,
  KERNEL_FOLDERS,
  SYSTEM_FOLDERS,
  systemFolderBinds,
} from "../walls/box/bubblewrap.ts";
import { boxVariables } from "../walls/box/box_variables.ts";
import type { DiskView } from "../walls/box/disk_view.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { seatbeltProfile } from "../walls/box/room_profile.ts";
import { underSeatbelt } from "../walls/box/seatbelt_rules.ts";
import { type LandlockRule, planVariables } from "../walls/landlock/plan.ts";
import { type Landlock, landlockFilter } from "../walls/box/try_landlock.ts";
import { covers } from "../walls/grants/path_access.ts";
import { isInside } from "../walls/grants/inside.ts";
import { SECRET_NAMES } from "../walls/grants/secret_names.ts";
import { isSecretEntry } from "../walls/grants/secret_paths.ts";
import type { RoomProfile } from "./profile.ts";
import type { Self } from "../self/find_self.ts";

/** How a room process is started. */
export interface RoomCommand {
  /** Program and arguments; the program is an absolute path. */
  argv: readonly string[];
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
}

/** What starts each program of the system. */
const LOADERS = ["/lib64/ld-linux-x86-64.so.2", "/nix/store"];
/** Numbers of bounds to the kernel. */
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;

const SYSTEM_FILES = ["/etc/ld.so.cache", "/etc/localtime", "/nix/store"];

/** Private /tmp of a box, in bytes. */
const TMP_BYTES = 64 * 1024 * 1024;

/**
 * Makes the command line of a room in a box: it starts empty, holds the system's libraries, the program itself and what
 * the profile grants, with secrets and denied paths masked; its way to the network is its socket of the gate.
 *
 * @param bwrap Absolute path of bubblewrap
 */
export function boxedCommand(
  profile: RoomProfile,
  self: Self,
  options: { bwrap: string; prlimit: string | null; disk: DiskView },
): RoomCommand {
  const { bwrap, prlimit, disk } = options;
  const { carried, words } = boxVariables({
    PATH: "/usr/bin:/bin",
    HOME: "/tmp",
    LANG: "C.UTF-8",
    ...self.env,
    ...self.boxEnv,
  });
  const argv = [
    ...limited(profile, prlimit),
    bwrap,
    ...isolation({ network: false, terminal: false, environment: true }),
    ...systemBinds(profile, disk),
    // Caches next to it may appear and disappear.
    ...self.files.flatMap((path) => ["--ro-bind-try", path, path]),
    ...grantBinds(profile, disk),
    ...masks(profile, self, disk),
    ...(profile.gate === undefined ? [] : ["--ro-bind", profile.gate.path, profile.gate.path]),
    // The root itself is an empty tmpfs, unless everything is granted.
    ...(profile.read === true || profile.write === true ? [] : ["--remount-ro", "/"]),
    "--chdir",
    "/",
    ...words,
    "--",
    ...self.argv,
  ];
  return { argv, env: carried };
}

/** Makes the command line of a room under a profile of macOS: it holds what a room in a box does. */
export function seatbeltCommand(profile: RoomProfile, self: Self, disk: DiskView): RoomCommand {
  const { locked, hidden, reopened } = closedPaths(profile, self, disk);
  const program = self.argv[0]!;
  const text = seatbeltProfile({
    read: profile.read === true ? true : [...profile.read, ...self.files.filter((file) => file !== program)],
    write: profile.write,
    execute: [program],
    closed: { hidden, frozen: locked },
    reopened,
    // The system compares real paths, and its /tmp is a link.
    sockets: profile.gate === undefined ? [] : [realOrNull(profile.gate.path) ?? profile.gate.path],
  });
  return {
    argv: underSeatbelt(text, self.argv),
    env: { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...self.env, ...self.boxEnv },
  };
}

/**
 * Makes the start of a room behind Landlock: it opens what a box would show. What a box masks within that is open to the
 * kernel, and closed by the room's own check alone.
 */
export function landlockCommand(
  profile: RoomProfile,
  self: Self,
  { landlock: { launcher }, disk }: { landlock: Landlock; disk: DiskView },
): RoomCommand {
  const [program = ""] = self.argv;
  const { read, write, memory: { dataBytes } } = profile;
  const real = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => realOrNull(path) ?? []))];
  const written = write === true ? ["/"] : write.map((path) => deepestExisting(path, disk));
  const rules: LandlockRule[] = [
    ...real([...SYSTEM_FOLDERS, ...SYSTEM_FILES]).map((path) => [path, "read"] as const),
    ...real([program, ...LOADERS]).map((path) => [path, "run"] as const),
    ...real(self.files).map((path) => [path, "read"] as const),
    ...(read === true ? ["/"] : read).map((path) => [path, "read"] as const),
    ...written.map((path) => [path, "write"] as const),
    ...["/dev/null", "/dev/urandom"].map((path) => [path, "device"] as const),
    // Without it, the bound of a call's memory would not fire, and nobody would hear of that.
    ["/proc/self/statm", "read"],
  ];
  const plan = planVariables({
    rules,
    ports: [],
    filter: landlockFilter({
      ...{ local: profile.gate !== undefined, internet: "none" },
      attributes: write === true || write.length > 0,
    })!,
    bounds: [[RLIMIT_DATA, dataBytes], [RLIMIT_CORE, 0]],
    argv: self.argv,
    env: { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...self.env, ...self.boxEnv },
    keeps: [],
  });
  return { argv: launcher.argv, env: { ...launcher.env, ...plan } };
}

/** The command line of a room process without a box. It bounds only memory. */
export function unboxedCommand(profile: RoomProfile, self: Self, prlimit: string | null): RoomCommand {
  const env = { HOME: "/tmp", LANG: "C.UTF-8", ...self.env };
  return { argv: [...limited(profile, prlimit), ...self.argv], env };
}

function limited({ memory: { dataBytes } }: RoomProfile, prlimit: string | null): string[] {
  return prlimit === null ? [] : [prlimit, `--data=${dataBytes}`, "--core=0", "--"];
}

function systemBinds(profile: RoomProfile, disk: DiskView): string[] {
  const everything = profile.write === true
    ? ["--bind", "/", "/"]
    : profile.read === true
    ? ["--ro-bind", "/", "/"]
    : systemFolderBinds(disk).concat(SYSTEM_FILES.flatMap((path) => ["--ro-bind-try", path, path]));
  return [
    ...everything,
    ...KERNEL_FOLDERS,
    ...(profile.read === true ? [] : ["--size", String(TMP_BYTES), "--tmpfs", "/tmp"]),
  ];
}

/** What a room must not see or change of what it is granted: secrets at the top of it, and what the user denied. */
function closedPaths(profile: RoomProfile, self: Self, disk: DiskView) {
  const { files, closed = { hidden: [], frozen: [] } } = profile;
  const denied = files.denyRead === true ? [] : files.denyRead;
  const frozen = files.denyWrite === true
    ? []
    : files.denyWrite.filter((path) => covers(profile.write, path) && !isOfBox(path, files.workspace));
  const locked = [...frozen, ...closed.frozen.filter((path) => covers(profile.write, path))];
  const { own = [], artifacts } = files;
  const hidden = [
    ...topSecrets(profile, disk),
    ...denied,
    ...own.filter((path) => isShown(path, profile)),
    ...closed.hidden.filter((path) => isShown(path, profile)),
  ]
    .filter((path) => isMaskable(path, disk) && !isOfBox(path, files.workspace));
  const outermost = [...new Set(hidden)]
    .filter((path) => !hidden.some((other) => other !== path && isInside(other, path)));
  const folders = outermost.filter((path) => disk.lstat(path)?.isDirectory);
  const isHidden = (file: string) => folders.some((path) => isInside(path, file));
  return {
    locked: locked.filter((path) => disk.lstat(path)),
    hidden: outermost,
    folders,
    reopened: [
      // A room also starts if its program is in a denied folder.
      ...self.files.filter(isHidden),
      // What calls left lies in a folder of bulkhead's own.
      ...(artifacts !== undefined && covers(own.filter((path) => folders.includes(path)), artifacts)
        ? [artifacts]
        : []),
    ],
  };
}

function masks(profile: RoomProfile, self: Self, disk: DiskView): string[] {
  const { locked, hidden, folders, reopened } = closedPaths(profile, self, disk);
  return [
    ...locked.flatMap((path) => ["--ro-bind", path, path]),
    ...hidden.flatMap((path) =>
      folders.includes(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]
    ),
    ...reopened.flatMap((path) => [
      path === profile.files.artifacts ? "--ro-bind-try" : "--ro-bind",
      ...[path, path],
    ]),
    ...folders.flatMap((path) => ["--remount-ro", path]),
  ];
}

function isShown(path: string, { read, write }: RoomProfile): boolean {
  return covers(read, path) || covers(write, path);
}

function topSecrets(profile: RoomProfile, disk: DiskView): string[] {
  const { files, read, write } = profile;
  const shown = [
    ...(read === true ? [] : read),
    ...(write === true ? [] : write.map((path) => deepestExisting(path, disk))),
  ];
  const homes = [files.workspace, ...(files.home === "" ? [] : [files.home])]
    .filter((path) => read === true || write === true || covers(shown, path));
  return [...new Set([...shown, ...homes])]
    .flatMap((top) => secretsAtTop(top, disk))
    .filter((path) => !files.secrets.some((allowed) => isInside(allowed, path) || isInside(path, allowed)));
}

function secretsAtTop(top: string, disk: DiskView): string[] {
  const nested = SECRET_NAMES.filter((name) => name.includes("/")).map((name) => join(top, name));
  const listed = disk.list(top).map((name) => join(top, name)).filter(isSecretEntry);
  return [...nested, ...listed];
}

/** A link is not masked: its target is outside, masked itself, or refused by the guard. */
function isMaskable(path: string, disk: DiskView): boolean {
  return disk.lstat(path)?.isSymlink === false && !disk.lstat(dirname(path))?.isSymlink;
}
