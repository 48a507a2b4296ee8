import { basename, dirname, join, resolve } from "@std/path";

import { isInside } from "../../walls/grants/inside.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { readFirstBytes } from "../../walls/files/open_plain.ts";

/** What takes the place of the folders of programs in a box. */
export interface OnlyPrograms {
  /** Real paths of folders that are empty but for what follows. */
  folders: readonly string[];
  /** Programs in them that can be started. */
  files: readonly string[];
  /** Links in them: where they are, and where they lead. */
  links: readonly { at: string; to: string }[];
}

/** Where the system has programs. */
const STANDARD_FOLDERS: readonly string[] = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
  "/usr/games",
  "/usr/local/games",
];
/** Where packages have their own: in folders named `bin`, so many levels below. */
const PACKAGES: readonly { folder: string; depth: number }[] = [
  { folder: "/usr/lib", depth: 2 },
  { folder: "/usr/local", depth: 1 },
];
/** Programs that only other programs start, and which these are. */
const HELPERS: readonly { folder: string; of: readonly string[] }[] = [
  { folder: "/usr/libexec", of: ["git", "gcc", "g++", "cc", "c++", "ssh"] },
  { folder: "/usr/local/libexec", of: ["git"] },
  { folder: "/usr/lib/git-core", of: ["git"] },
  { folder: "/usr/lib/gcc", of: ["gcc", "g++", "cc", "c++", "gfortran", "clang"] },
  { folder: "/usr/lib/openssh", of: ["ssh", "scp", "sftp", "git"] },
  { folder: "/usr/lib/gnupg", of: ["gpg"] },
  { folder: "/usr/lib/apt", of: [] },
  { folder: "/usr/lib/systemd", of: [] },
];

/** How many links and interpreters are followed. */
const MAX_STEPS = 20;
/** What the kernel reads of the first line of a script. */
const LINE_BYTES = 256;

/**
 * Works out what a box shows of the machine's programs if only some may be started. A program brings what its links lead to,
 * and a script its interpreter.
 *
 * @param wanted `names` are looked for on `path`; `files` are what the box itself and its program need; `shown` is what
 * the user shows to the program
 */
export function onlyPrograms(
  wanted: {
    names: readonly string[];
    files: readonly string[];
    shown: readonly string[];
    path: string;
  },
  disk: DiskView,
): OnlyPrograms {
  const { names, path, shown } = wanted;
  const masked = maskedFolders(wanted, disk);
  const isMasked = (file: string) => masked.some((folder) => isInside(folder, file));
  const files = new Set(shown.filter((one) => isMasked(one) && !masked.includes(one)));
  const links = new Map<string, string>();
  const find = (name: string) =>
    name.includes("/") ? [name] : path.split(":").map((folder) => join(folder, name)).filter(realOrNull);
  const add = (file: string, steps = MAX_STEPS): void => {
    const folder = realOrNull(dirname(file));
    if (folder === null || steps === 0) return;
    const at = join(folder, basename(file));
    const info = disk.lstat(at);
    if (info === null || info.isDirectory || files.has(at) || links.has(at)) return;
    if (info.isSymlink) {
      if (isMasked(at)) links.set(at, disk.readLink(at));
      return add(resolve(folder, disk.readLink(at)), steps - 1);
    }
    if (isMasked(at)) files.add(at);
    for (const word of interpreterWords(at)) find(word).forEach((found) => add(found, steps - 1));
  };
  for (const file of [...wanted.files, ...names.flatMap(find)]) add(file);
  return { folders: masked, files: [...files], links: Array.from(links, ([at, to]) => ({ at, to })) };
}

/** Says whether a program is one of the system, not of the user's home. Needs `read`. */
export function isOfSystem(name: string): boolean {
  return name.includes("/")
    ? STANDARD_FOLDERS.includes(dirname(name))
    : findProgram(name, STANDARD_FOLDERS.join(":")) !== null;
}

/** Returns the mounts before those that hide, and after them. */
export function onlyMounts({ folders, files, links }: OnlyPrograms): { before: string[]; after: string[] } {
  return {
    before: [
      ...folders.flatMap((path) => ["--tmpfs", path]),
      ...links.flatMap(({ at, to }) => ["--symlink", to, at]),
      ...files.flatMap((path) => ["--ro-bind", path, path]),
    ],
    after: folders.flatMap((path) => ["--remount-ro", path]),
  };
}

function maskedFolders(
  { path, names, shown }: { path: string; names: readonly string[]; shown: readonly string[] },
  disk: DiskView,
): string[] {
  const found = [
    ...path.split(":"),
    ...STANDARD_FOLDERS,
    ...PACKAGES.flatMap(({ folder, depth }) => binsBelow(folder, { depth, disk })),
    ...HELPERS.filter(({ of }) => !of.some((name) => names.includes(name))).map(({ folder }) => folder),
  ];
  const real = [...new Set(found.map(realOrNull).filter((folder) => folder !== null))];
  const closed = real.filter((folder) =>
    disk.lstat(folder)?.isDirectory && !shown.some((one) => isInside(one, folder))
  );
  // One within another is empty already.
  return closed.filter((folder) => !closed.some((other) => other !== folder && isInside(other, folder)));
}

function binsBelow(folder: string, { depth, disk }: { depth: number; disk: DiskView }): string[] {
  const below = disk.list(folder).map((name) => join(folder, name)).filter((path) =>
    disk.lstat(path)?.isDirectory
  );
  const bins = below.filter((path) => /^s?bin$/.test(basename(path)));
  return depth === 0
    ? bins
    : [...bins, ...below.flatMap((path) => binsBelow(path, { depth: depth - 1, disk }))];
}

/** Returns the programs that a script names in its first line; `env` looks for the second one itself. Needs `read`. */
export function interpreterWords(path: string): string[] {
  // What cannot be read is no script that could be started.
  const bytes = readFirstBytes(path, LINE_BYTES) ?? new Uint8Array();
  const [line = ""] = new TextDecoder().decode(bytes).split("\n");
  if (!line.startsWith("#!")) return [];
  const [program = "", ...rest] = line.slice(2).trim().split(/\s+/);
  const next = basename(program) === "env" ? rest.find((word) => !/^-|=/.test(word)) : undefined;
  return next === undefined ? [program] : [program, next];
}
