import { ToolError } from "../../../schemas/error.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isKernelFolder } from "../../walls/grants/secret_paths.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { showPath } from "../bytes/odd_names.ts";
import type { OddReader } from "../bytes/odd_reader.ts";
import { walkByBytes } from "./odd_walk.ts";
import { type FolderToScan, noteClosed, noteSetId, type ScanOptions, type Walk } from "./scan_walk.ts";
import {
  entryInfo,
  type Finding,
  holdsObjectsOnly,
  isLong,
  isShut,
  type KnownFolders,
  lookInto,
  type ScannedFolder,
} from "./scan_folder.ts";

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

/** Most entries of all folders together. */
export const MAX_ENTRIES = 300_000;
/** The same limit after a program. To make more entries, a program needs minutes. */
const MAX_ENTRIES_AFTERWARDS = 5_000_000;
/** The folders over which git spreads its objects. */
const OBJECTS = /^[0-9a-f]{2}$/;
/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;

/**
 * Makes a scan with its own memory.
 *
 * @param options `known` is what other scans have found, and takes what this one finds; without `odd`, names that are no
 * UTF-8 are passed over
 */
export function makeTreeScan(
  options: { maxEntries?: number; known?: KnownFolders; odd?: OddReader } = {},
): TreeScan {
  const { known = new Map<string, ScannedFolder>(), odd = null } = options;
  return async (roots, scan = {}) => {
    const maxEntries = options.maxEntries ?? (scan.afterwards ? MAX_ENTRIES_AFTERWARDS : MAX_ENTRIES);
    const tops = outermost(roots);
    const walk: Walk = {
      ...{ options: scan, known, odd, findings: new Map(), withOdd: [], byBytes: [] },
      count: { left: maxEntries, largest: "", most: 0 },
      trees: tops.filter(({ depth }) => depth === undefined).map(({ path }) => path),
      pending: tops.map(({ path, depth = Infinity }) => ({ path, depth })),
      tooMany(path) {
        if (scan.afterwards === undefined) throw tooMany(maxEntries, walk.count);
        scan.afterwards.tell(path, `there are more than ${maxEntries} files`);
        for (const list of [walk.pending, walk.withOdd, walk.byBytes]) list.length = 0;
      },
    };
    const mustOpen = new Set(walk.trees);
    let turnEnds = performance.now() + TURN_MS;
    while (walk.pending.length + walk.withOdd.length + walk.byBytes.length > 0) {
      const next = walk.pending.pop();
      if (next === undefined) {
        await attempt(walk, tops[0]!.path, () => walkByBytes(walk));
        continue;
      }
      const waits = attempt(walk, next.path, () => visit(walk, next, mustOpen));
      if (waits !== undefined) await waits;
      if (performance.now() < turnEnds) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
    return [...walk.findings.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  };
}

/** After a program, nothing that fails ends the scan. */
function attempt(
  { options: { afterwards } }: Walk,
  path: string,
  work: () => void | Promise<void>,
): void | Promise<void> {
  const fail = (error: unknown) => {
    if (afterwards === undefined) throw error;
    afterwards.tell(path, systemError(error, "look at", path).message);
  };
  try {
    return work()?.catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** Looks into one folder. Waits only where a program closed it. */
function visit(walk: Walk, place: FolderToScan, mustOpen: ReadonlySet<string>): void | Promise<void> {
  const { path, depth } = place;
  const { findings, known, options: { afterwards, enters, skip } } = walk;
  if (skip?.has(path) || place.ofStore && holdsObjectsOnly(path, afterwards?.since)) return;
  const folder = lookInto(path, known, afterwards && ((at, info) => noteSetId(walk, at, info)));
  if (folder === null) return;
  if (folder.count > walk.count.most) Object.assign(walk.count, { largest: path, most: folder.count });
  walk.count.left -= folder.count;
  if (walk.count.left < 0) return walk.tooMany(path);
  if (folder.isClosed) return meetClosed(walk, place, mustOpen.has(path));
  for (const { name, kind } of folder.found) {
    const at = name === "" ? path : below(path, name);
    const info = entryInfo(at);
    if (info === null) continue;
    const finding: Finding = { path: at, kind, info };
    findings.set(at, finding);
    if (kind === "secret" && depth > 1 && info.isDirectory && enters?.(finding)) {
      walk.pending.push({ path: at, depth: depth - 1 });
    }
  }
  if (depth > 1) {
    const ofStore = (name: string) => folder.isStore === true && OBJECTS.test(name);
    for (const name of folder.folders) {
      walk.pending.push({ path: below(path, name), depth: depth - 1, ofStore: ofStore(name) });
    }
  }
  if (walk.odd !== null && folder.odd?.length !== 0) walk.withOdd.push({ path, depth, folder });
}

function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

async function meetClosed(walk: Walk, place: FolderToScan, mustOpen: boolean): Promise<void> {
  const { path } = place;
  const { findings, known, odd, options: { afterwards } } = walk;
  const info = entryInfo(path);
  if (info === null) return;
  const finding: Finding = { path, kind: "closed", info };
  if (afterwards === undefined && mustOpen) throw closedRoot(path);
  if (afterwards === undefined) noteClosed(walk, finding);
  else if (afterwards.wasClosed(finding)) findings.set(path, finding);
  else if (await afterwards.open(finding)) {
    known.delete(path);
    walk.pending.push(place);
  } else if (odd !== null && isLong(path) && !isShut(info)) walk.byBytes.push({ ...place, info });
  else findings.set(path, finding);
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

function tooMany(maxEntries: number, { largest, most }: Walk["count"]): ToolError {
  const path = showPath(largest);
  return new ToolError(
    "limit_exceeded",
    `There are more than ${maxEntries} files in the folders that programs would see, too many to find all ` +
      `secrets among them; "${path}" alone has ${most}: remove files, name a smaller folder with ` +
      `--workspace, --allow-read or --sandbox-show, or pass ${showFlags([flagWord("--deny-read", [path])])}`,
  );
}
