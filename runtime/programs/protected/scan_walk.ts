import type { OddReader } from "./odd_reader.ts";
import type { Finding, KnownFolders, ScannedFolder } from "./scan_folder.ts";

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
  /** The folder with the most entries so far. */
  largest: { path: string; count: number };
  /** How many more entries may be looked at. */
  left: number;
  /** Throws if there are too many before a program. After it, the scan ends. */
  tooMany(path: string): void;
}

/** A folder to look into. */
export interface FolderToScan {
  path: string;
  /** How many levels are scanned, this folder's included. */
  depth: number;
}

/** Notes a set-ID file that has changed since the program started. The system gives the time in whole seconds. */
export function noteSetId({ findings, options }: Walk, path: string, info: Deno.FileInfo): void {
  const since = Math.floor((options.afterwards?.since ?? Infinity) / 1_000) * 1_000;
  if ((info.ctime?.getTime() ?? Infinity) >= since) findings.set(path, { path, kind: "set-id", info });
}
