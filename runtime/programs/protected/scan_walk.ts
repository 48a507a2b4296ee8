import type { OddReader } from "../bytes/odd_reader.ts";
import { entryInfo, type Finding, isLong, type KnownFolders, type ScannedFolder } from "./scan_folder.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isOdd } from "../bytes/odd_names.ts";

/** How far a scan goes. */
export interface ScanOptions {
  /** What a scan after a program does besides. @default the scan comes before a program */
  afterwards?: Afterwards;
  /** Folders that are not looked into. @default none */
  skip?: ReadonlySet<string>;
  /** Says whether a folder with a secret's name is looked into. @default none is */
  enters?(folder: Finding): boolean;
}

/**
 * What a scan after a program does: it covers all that the program made, and nothing ends it. A root that the program
 * closed is a finding.
 */
export interface Afterwards {
  /** When the program started, in milliseconds. Set-ID files that have changed since are findings. */
  since: number;
  /** Says whether a folder could not be looked into before. */
  wasClosed(folder: Finding): boolean;
  /** Makes a closed folder readable. Returns whether that changed anything. */
  open(folder: Finding): boolean | Promise<boolean>;
  /** Hears of each path that could not be looked at, and why. */
  tell(path: string, why: string): void;
}

/** A scan that goes on. */
export interface Walk {
  options: ScanOptions;
  known: KnownFolders;
  /** `null` where names that are no UTF-8 are not looked for. */
  odd: OddReader | null;
  /** Folders that are looked into with all below them. */
  trees: readonly string[];
  findings: Map<string, Finding>;
  /** Folders to look into. */
  pending: FolderToScan[];
  /** Folders that were looked into, and may hold such names. */
  withOdd: (FolderToScan & { folder: ScannedFolder })[];
  /** Folders that must be looked into by bytes. */
  byBytes: (FolderToScan & { info: Deno.FileInfo })[];
  /** How many more entries may be looked at, and the folder with the most so far. */
  count: { left: number; largest: string; most: number };
  /** Throws if there are too many before a program. After it, the scan ends. */
  tooMany(path: string): void;
}

/** A folder to look into. */
export interface FolderToScan {
  path: string;
  /** How many levels are scanned, this folder's included. */
  depth: number;
  /** It is one of those over which git spreads its objects. @default false */
  ofStore?: boolean;
}

/** Notes a set-ID file that has changed since the program started. The system gives the time in whole seconds. */
export function noteSetId({ findings, options }: Walk, path: string, info: Deno.FileInfo): void {
  const since = Math.floor((options.afterwards?.since ?? Infinity) / 1_000) * 1_000;
  if ((info.ctime?.getTime() ?? Infinity) >= since) findings.set(path, { path, kind: "set-id", info });
}

/** At most this many levels below the top, a folder is hidden because the paths in it are too long. */
const MAX_LEVELS = 24;

/**
 * Notes a folder that a box must hide, because it cannot be looked into. Each folder above what is hidden costs the box a
 * mount, so of a path that is too long, one near the top is hidden.
 */
export function noteClosed({ findings, trees }: Walk, finding: Finding): void {
  const { path } = finding;
  const top = trees.find((tree) => isInside(tree, path));
  const names = top === undefined ? [] : path.slice(top.length).split("/").filter((name) => name !== "");
  const above = `${top === "/" ? "" : top}/${names.slice(0, MAX_LEVELS).join("/")}`;
  const isFar = names.length > MAX_LEVELS && isLong(path) && !isOdd(above);
  const info = isFar ? entryInfo(above) : null;
  if (info === null) findings.set(path, finding);
  else findings.set(above, { path: above, kind: "closed", info });
}
