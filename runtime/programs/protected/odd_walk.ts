import { ToolError } from "../../../schemas/error.ts";
import { byteLength, isOdd, showPath } from "../bytes/odd_names.ts";
import { holdsRepository } from "../../walls/git/git_folder.ts";
import { covers } from "../../walls/grants/path_access.ts";
import type { DeepEntry, OddEntry } from "../bytes/odd_reader.ts";
import {
  type Around,
  aroundOf,
  type Finding,
  GIT_NAMES,
  isLong,
  isShut,
  kindOf,
  SET_ID,
  wayOut,
} from "./scan_folder.ts";
import { noteClosed, noteSetId, type Walk } from "./scan_walk.ts";

/** Longest path in characters that is looked at after a program. */
const MAX_PATH_AFTERWARDS = 65_536;
/** Longest path that can be listed, in bytes: the system takes 4,096. */
const MAX_START = 3_900;

/** From this many folders on, trees are listed as a whole. */
const MANY = 50;

type Point = Walk["byBytes"][number];

/**
 * Goes on with a scan where names are no UTF-8, or paths are too long: by bytes.
 *
 * @throws {ToolError} `unavailable` if the system has no `find`; otherwise as the scan does
 */
export async function walkByBytes(walk: Walk): Promise<void> {
  const points = walk.byBytes.splice(0);
  for (const { path, depth, odd } of await namesOf(walk)) {
    for (const entry of odd) {
      const at = `${path === "/" ? "" : path}/${entry.name}`;
      if (--walk.count.left < 0) return walk.tooMany(path);
      if (meet(walk, entry, at, aroundOf(path)) && depth > 1) {
        points.push({ path: at, depth: depth - 1, info: entry.info });
      }
    }
  }
  if (points.length > 0) await walkBelow(walk, points);
}

/** Asks for the names of folders where that is not known. */
async function namesOf(walk: Walk) {
  const places = walk.withOdd.splice(0);
  const unknown = places.filter(({ folder }) => folder.odd === undefined);
  const names = unknown.length === 0 ? new Map() : await ask(walk, unknown.map(({ path }) => path));
  if (names === null) throw noFind(unknown[0]!.path);
  for (const { path, folder } of unknown) folder.odd = names.get(path) ?? [];
  return places.map(({ path, depth, folder }) => ({ path, depth, odd: folder.odd! }));
}

/** Of many folders, whole trees are listed: that is faster. */
async function ask({ odd, trees }: Walk, folders: readonly string[]) {
  const isMany = folders.length > MANY;
  const inTrees = isMany ? folders.filter((path) => covers(trees, path)) : [];
  const others = isMany ? folders.filter((path) => !covers(trees, path)) : folders;
  const deep = inTrees.length === 0 ? new Map() : await odd!.namesIn(trees, { deep: true });
  const flat = others.length === 0 ? new Map() : await odd!.namesIn(others);
  return deep === null || flat === null ? null : new Map([...deep, ...flat]);
}

/** Notes what an entry is. Returns whether it is a folder to look into. */
function meet(walk: Walk, { name, info, link }: OddEntry, path: string, around: Around): boolean {
  const { findings, options: { afterwards, enters } } = walk;
  const kind = kindOf(name, path, around) ??
    wayOut(info) ?? (info.isFile && around.isFrozen ? "protected" : null);
  const finding: Finding | null = kind === null ? null : { path, kind, info, link };
  if (finding !== null) findings.set(path, finding);
  noteRepository(findings, { name, info }, around);
  if (afterwards && info.isFile && (info.mode! & SET_ID) !== 0) noteSetId(walk, path, info);
  return info.isDirectory && (kind !== "secret" || enters?.(finding!) === true);
}

/** In a folder whose path is no UTF-8, the file by which git would take it for a repository counts as protected. */
function noteRepository(
  findings: Walk["findings"],
  { name, info }: Pick<OddEntry, "name" | "info">,
  around: Around,
): void {
  if (!GIT_NAMES.has(name) || !isOdd(around.path)) return;
  const seen = around.ofGit ??= new Map();
  seen.set(name, info);
  const head = seen.get("HEAD");
  if (head === undefined || !holdsRepository((entry) => seen.has(entry))) return;
  const path = `${around.path}/HEAD`;
  const why = "git would take its folder for a repository and run what the settings there say";
  findings.set(path, { path, kind: "protected", info: head, why });
}

/** Looks at all below folders. Those that a program closed are opened, and looked at in their turn. */
async function walkBelow(walk: Walk, points: readonly Point[]): Promise<void> {
  const { findings, options: { afterwards } } = walk;
  const starts = new Map(points.map((point) => [identityOf(point.info), point]));
  const closed: Point[] = [];
  let point: Point | undefined;
  let trail: Around[] = [];
  let passedOver = Infinity;
  const shut = (entry: DeepEntry, path: string) => {
    const isClosed = entry.access === "enter" || isShut(entry.info) ||
      (afterwards ? path.length > MAX_PATH_AFTERWARDS : isLong(path));
    if (isClosed) closed.push({ path, info: entry.info, depth: (point?.depth ?? 0) - entry.depth });
    return isClosed || entry.access === "none";
  };
  const whole = await walk.odd!.below(points.map(({ path }) => path), (entry) => {
    const { depth, info } = entry;
    if (depth === 0) {
      point = starts.get(identityOf(info));
      passedOver = point === undefined || shut(entry, point.path) ? 0 : Infinity;
      trail = point === undefined ? [] : [aroundOf(point.path)];
      return true;
    }
    if (depth > passedOver) return true;
    passedOver = Infinity;
    if (--walk.count.left < 0) return false;
    const around = trail[depth - 1]!;
    const path = `${around.path}/${entry.name}`;
    if (!meet(walk, entry, path, around)) passedOver = depth;
    else if (shut(entry, path) || depth >= point!.depth) passedOver = depth;
    else trail[depth] = aroundOf(path);
    return true;
  });
  if (!whole) throw noFind(points[0]!.path);
  if (walk.count.left < 0) return walk.tooMany(points[0]!.path);
  for (const place of closed) {
    const finding: Finding = { path: place.path, kind: "closed", info: place.info };
    const isOpened = afterwards !== undefined && !afterwards.wasClosed(finding) &&
      byteLength(place.path) <= MAX_START &&
      await afterwards.open(finding);
    if (isOpened) walk.byBytes.push(place);
    else if (afterwards === undefined) noteClosed(walk, finding);
    else findings.set(place.path, finding);
  }
}

function identityOf({ dev, ino }: Deno.FileInfo): string {
  return `${dev}:${ino}`;
}

function noFind(path: string): ToolError {
  return new ToolError(
    "unavailable",
    `Cannot look at all names in "${
      showPath(path)
    }", because some are not UTF-8: install find and xargs (findutils)`,
  );
}
