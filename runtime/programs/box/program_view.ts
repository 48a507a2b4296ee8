import { dirname, isAbsolute, join } from "@std/path";

import type { FileGrants, Grants, Scope } from "../../../schemas/grants.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { SYSTEM_FOLDERS } from "../../walls/box/bubblewrap.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { NO_TOOLCHAINS, type Toolchains } from "../toolchains/toolchains.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { ScanRoot } from "../protected/tree_scan.ts";

/** What programs see of the disk besides the system. */
export interface ProgramView {
  /** All of the disk is granted for reading. */
  everything: boolean;
  /** Existing files and folders that are shown. */
  shown: readonly string[];
  /** Existing files and folders that may be written. */
  writable: readonly string[];
  /** Where the scan looks for secrets and protected files. */
  roots: readonly ScanRoot[];
  /** Granted for writing, but missing: a box cannot show it. */
  absent: readonly string[];
  /** Links to what is shown: where they are, and where they lead. */
  links: readonly { at: string; to: string }[];
  /** Where the user's home is, if the private one takes its place; `null`: it has a place of its own. */
  home: string | null;
  /** A folder that may be written, and the name that it has in the box. @default none */
  apart?: { folder: string; at: string };
  /** Says whether a path exists in a box. */
  shows(path: string): boolean;
}

/** A box has its own of each of these, even if everything is granted. */
const PRIVATE = ["/proc", "/sys", "/dev", "/run", "/tmp"];
/** Package store of NixOS, which holds its programs instead of /usr. */
export const NIX_STORE = "/nix/store";
/** Where all users have their homes. If everything is granted, only the top of each home is scanned. */
const HOMES = ["/home", "/Users"];
/** Deep enough for `.config/gcloud`. */
const HOME_DEPTH = 2;
const STANDARD_PATH = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Returns which files programs may touch: the same as tools, but a read-only policy allows no writing. */
export function programFiles(grants: Grants, home: string): FileGrants {
  const { allow, deny } = grants;
  return {
    workspace: grants.workspace,
    home,
    read: deny.read === true ? [] : allow.read,
    write: deny.write === true || grants.policy !== "coder" ? [] : allow.write,
    denyRead: deny.read,
    denyWrite: deny.write,
    frozen: grants.frozen,
    own: grants.own,
    secrets: grants.secrets,
    isCopy: grants.isCopy,
    writeNamed: grants.writeNamed,
    aliases: grants.aliases,
  };
}

/**
 * Works out what programs see.
 *
 * @param options `cwd` is real and granted; `folders` beside the grants are shown read-only, and so is what was
 * `looked` through for secrets already
 */
export function viewOf(
  files: FileGrants,
  options: {
    cwd: string;
    folders: readonly string[];
    looked?: Pick<Toolchains, "shown" | "links">;
    /** The private home stands where the user's is, unless that is shown. @default false */
    atHome?: boolean;
    /** Folders of the system that are shown besides. @default those of a box */
    system?: readonly string[];
    disk: DiskView;
  },
): ProgramView {
  const { cwd, folders, looked = NO_TOOLCHAINS, disk, system = [...SYSTEM_FOLDERS, NIX_STORE] } = options;
  const everything = files.read === true;
  const isThere = (path: string) => disk.lstat(path) !== null;
  const isOpen = (path: string) => !isSecret(path, files.workspace) || covers(files.secrets, path);
  const listed = (scope: Scope) => scope === true ? [] : scope;
  const top = everything ? topEntries(disk) : [];
  const read = [...top, ...listed(files.read), ...(everything ? [files.workspace, cwd] : [])];
  const granted = [...read, ...folders, ...looked.shown, ...listed(files.write)].filter((path) =>
    path !== "/"
  );
  // A mask hides what is denied within a folder; what lies in a denied one must not be shown at all.
  const isDenied = (path: string) => covers(files.denyRead, path);
  const shown = [...new Set(granted)].filter((path) => isThere(path) && isOpen(path) && !isDenied(path));
  const writable = shown.filter((path) => refusePath("write", path, files) === null);
  return {
    everything,
    shown,
    writable,
    roots: everything
      ? [
        { path: files.workspace },
        { path: cwd },
        ...homesOf(files, disk),
        ...folders.map((path) => ({ path })),
      ]
      : shown.filter((path) => !looked.shown.includes(path)).map((path) => ({ path })),
    absent: listed(files.write).filter((path) => !isThere(path) && !covers(writable, path)),
    links: looked.links,
    home: options.atHome && files.home.lastIndexOf("/") >= 0 && files.home !== "/" ? files.home : null,
    shows: (path) => covers([...system, ...shown], path),
  };
}

/** Returns the `PATH` of programs in a box: first what the user named, then the shown folders of the user's own. */
export function boxPath(
  view: ProgramView,
  options: {
    hostPath: string;
    folders: readonly string[];
    kept?: readonly string[];
    /** The system's programs come first. @default false */
    systemFirst?: boolean;
  },
): string {
  const { hostPath, folders, kept = [], systemFirst = false } = options;
  const tools = folders.filter(isFolder).map((folder) =>
    isFolder(join(folder, "bin")) ? join(folder, "bin") : folder
  );
  const own = hostPath.split(":").flatMap((folder) => {
    const real = isAbsolute(folder) ? realOrNull(folder) : null;
    if (real === null || !(view.shows(real) || kept.includes(real))) return [];
    return [view.shows(folder) ? folder : real];
  });
  const system = STANDARD_PATH.filter(isFolder);
  return [...new Set([...systemFirst ? system : [], ...tools, ...own, ...system])].join(":");
}

function topEntries(disk: DiskView): string[] {
  return disk.list("/").map((name) => `/${name}`)
    .filter((path) => !PRIVATE.includes(path) && !disk.lstat(path)?.isSymlink);
}

function homesOf({ home }: FileGrants, disk: DiskView): ScanRoot[] {
  const homes = [
    home,
    "/root",
    ...HOMES.flatMap((homes) => disk.list(homes).map((name) => join(homes, name))),
  ];
  return homes.filter((path) => path !== "" && path !== dirname(path)).map((path) => ({
    path,
    depth: HOME_DEPTH,
  }));
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Says whether a path lies in what every box has of its own. */
export function isPrivate(path: string): boolean {
  return PRIVATE.some((folder) => isInside(folder, path));
}
