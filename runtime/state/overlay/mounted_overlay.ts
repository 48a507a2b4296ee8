import { join } from "@std/path";

import type { TrustedPrograms } from "../../walls/files/trusted_path.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { isInside } from "../../walls/grants/inside.ts";
import TRY from "./try_overlay.sh" with { type: "text" };
import { tryProgram } from "../../walls/process/try_program.ts";

/** How the kernel lays an overlay over a workspace, in a namespace of its own. Plain data, kept with the overlay. */
export interface MountWay {
  /** Absolute paths of `unshare` and `mount`. */
  unshare: string;
  mount: string;
  /** Words for `unshare`: with a namespace of users, only this user and this group are there. */
  flags: readonly string[];
}

/** Where an overlay is laid. */
export interface MountPlace {
  workspace: string;
  /** Holds what is written, in `upper`. */
  folder: string;
  /** Where the whole is seen: the workspace itself, or another folder. */
  at: string;
}

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 10_000;
/** How many entries are looked at for those of other users. */
const MAX_LOOKED = 1_000;
/** As root, the owners of all files are known. */
const WAYS = [["-m"], ["-Urm"]];

/** Lays the overlay. No name of the workspace stands among the options, where it could mean something. */
const MOUNT = 'cd -- "$1" && "$2" -t overlay overlay -o "$3" -- "$4" && cd / && shift 4 && exec "$@"';
/** Returns the words that lay an overlay and start what follows them there. */
export function mountWords(
  { unshare, mount, flags }: MountWay,
  { workspace, folder, at }: MountPlace,
): string[] {
  const special = (path: string) => path.replace(/[\\:,]/g, "\\$&");
  const options = [
    "lowerdir=.",
    `upperdir=${special(join(folder, "upper"))}`,
    `workdir=${special(join(folder, "work"))}`,
    "userxattr",
  ].join(",");
  const start = [unshare, ...flags, "--propagation", "private", "/bin/sh", "-c", MOUNT, "sh"];
  return [...start, workspace, mount, options, at];
}

/** Returns the words for bubblewrap that give the user his own numbers back. */
export function ownNumbers({ flags }: MountWay): string[] {
  const isMapped = flags.some((flag) => flag.includes("U"));
  return isMapped ? ["--uid", String(Deno.uid()), "--gid", String(Deno.gid())] : [];
}

/**
 * Finds out by a trial whether the kernel lays an overlay over a workspace here. Needs `read`, `write` and `run`.
 *
 * @param folder An empty folder on the disk that would hold what is written
 * @param table The text of `/proc/self/mountinfo`
 * @returns The way to do it, or why it does not work
 */
export async function findMountWay(
  { workspace, folder, table }: { workspace: string; folder: string; table: string },
  { find }: Pick<TrustedPrograms, "find">,
): Promise<MountWay | { cause: string }> {
  const [unshare, mount] = [find("unshare"), find("mount")];
  if (unshare === null || mount === null || find("tar") === null) {
    return { cause: "unshare, mount or tar is not installed" };
  }
  const inner = mountPoints(table).find((point) => point !== workspace && isInside(workspace, point));
  if (inner !== undefined) return { cause: `"${inner}" in it is a mount of its own` };
  let cause = "";
  for (const flags of Deno.uid() === 0 ? WAYS : WAYS.slice(1)) {
    const foreign = flags.includes("-Urm") ? foreignIn(workspace) : null;
    if (foreign !== null) return { cause: `"${foreign}" belongs to another user or group` };
    const way = { unshare, mount, flags };
    cause = await tryMount(way, { workspace, folder });
    if (cause === "") return way;
  }
  return { cause: `the kernel lays none over it here (${cause})` };
}

async function tryMount(
  way: MountWay,
  { workspace, folder }: { workspace: string; folder: string },
): Promise<string> {
  for (const name of ["upper", "work", "at"]) {
    Deno.mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const at = join(folder, "at");
  const isEmpty = Deno.readDirSync(workspace)[Symbol.iterator]().next().done === true;
  const words = [...mountWords(way, { workspace, folder, at }), "/bin/sh", "-c", TRY, "sh", at];
  try {
    const { success, stderr } = await tryProgram([...words, isEmpty ? "empty" : "filled"], {
      ms: TRIAL_MS,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    });
    return success ? "" : stderr.split("\n")[0] || "what was written could not be read back";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The upper folders first: what is not mapped cannot be changed in an overlay. */
function foreignIn(workspace: string): string | null {
  const pending = [workspace];
  const isForeign = (path: string) => {
    const info = lstat(path);
    return info !== null && (info.uid !== Deno.uid() || info.gid !== Deno.gid());
  };
  if (isForeign(workspace)) return workspace;
  let looked = 0;
  for (let next = 0; next < pending.length; next++) {
    for (const { name, isDirectory } of entriesIn(pending[next]!)) {
      const path = join(pending[next]!, name);
      if (isForeign(path)) return path;
      if (++looked >= MAX_LOOKED) return null;
      if (isDirectory) pending.push(path);
    }
  }
  return null;
}

function entriesIn(folder: string): Iterable<Deno.DirEntry> {
  try {
    return Deno.readDirSync(folder);
  } catch {
    return [];
  }
}

function mountPoints(table: string): string[] {
  return table.split("\n").map((line) => line.split(" ")[4] ?? "")
    .map((path) => path.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8))));
}
