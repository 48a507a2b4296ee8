import { join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isKernelFolder } from "../../walls/grants/secret_paths.ts";
import { entryInfo, type Finding, type KnownFolders, lookInto, type ScannedFolder } from "./scan_folder.ts";

/** A folder to scan. */
export interface ScanRoot {
  /** Absolute, real path. Anything that is not a folder is skipped. */
  path: string;
  /** How many levels are scanned. @default all */
  depth?: number;
}

/**
 * Finds secrets, protected files and sockets below folders. Reads each folder once; later scans read again only those
 * that have changed. Needs `read`.
 *
 * @throws {ToolError} `limit_exceeded` if there are too many entries, `unavailable` for a closed root
 */
export type TreeScan = (roots: readonly ScanRoot[], options?: ScanOptions) => Promise<Finding[]>;

/** How far a scan goes. */
export interface ScanOptions {
  /**
   * The scan comes after a program: it covers all that the program made. A root that it closed is a finding.
   * @default false
   */
  afterwards?: boolean;
  /** Folders that are not looked into. @default none */
  skip?: ReadonlySet<string>;
}

/** Most entries of all folders together. */
export const MAX_ENTRIES = 300_000;
/** The same limit after a program. To make more entries, a program needs minutes. */
const MAX_ENTRIES_AFTERWARDS = 5_000_000;

/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;
/**
 * Makes a scan with its own memory.
 *
 * @param options `known` is what other scans have found, and takes what this one finds
 */
export function makeTreeScan(options: { maxEntries?: number; known?: KnownFolders } = {}): TreeScan {
  const { known = new Map<string, ScannedFolder>() } = options;
  return async (roots, { afterwards = false, skip } = {}) => {
    const maxEntries = options.maxEntries ?? (afterwards ? MAX_ENTRIES_AFTERWARDS : MAX_ENTRIES);
    const findings = new Map<string, Finding>();
    const tops = outermost(roots);
    const pending = tops.map(({ path, depth = Infinity }) => ({ path, depth }));
    let count = 0;
    let turnEnds = performance.now() + TURN_MS;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { path, depth } = next;
      if (skip?.has(path)) continue;
      const folder = lookInto(path, known);
      if (folder === null) continue;
      count += folder.count;
      if (count > maxEntries) throw tooMany(maxEntries);
      if (folder.isClosed) {
        if (!afterwards && tops.some((top) => top.path === path)) throw closedRoot(path);
        const info = entryInfo(path);
        if (info !== null) findings.set(path, { path, kind: "closed", info });
        continue;
      }
      for (const { name, kind } of folder.found) {
        const at = join(path, name);
        const info = entryInfo(at);
        if (info !== null) findings.set(at, { path: at, kind, info });
      }
      if (depth > 1) {
        pending.push(...folder.folders.map((name) => ({ path: join(path, name), depth: depth - 1 })));
      }
      if (performance.now() < turnEnds) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
    return [...findings.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  };
}

function outermost(roots: readonly ScanRoot[]): readonly ScanRoot[] {
  const deep = roots.filter(({ depth }) => depth === undefined);
  const inDeep = (path: string) => deep.some((root) => root.path !== path && isInside(root.path, path));
  const unique = new Map(roots.map((root) => [root.path, root]));
  for (const root of deep) unique.set(root.path, root);
  return [...unique.values()].filter(({ path }) => !inDeep(path) && !isKernelFolder(path));
}

function closedRoot(path: string): ToolError {
  return new ToolError(
    "unavailable",
    `Cannot look through "${path}" for secrets before a program sees it: make it readable with chmod u+rx`,
  );
}

function tooMany(maxEntries: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `There are more than ${maxEntries} files in the folders that programs would see, too many to find all ` +
      `secrets among them: name a smaller folder with --workspace, --allow-read or --sandbox-show`,
  );
}
