import { dirname, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { jsonLine } from "../../text/json_line.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { openTrace } from "../sessions/trace_file.ts";
import { SESSION_ID } from "../tool_state.ts";
import { copyEntry, type CopySize } from "../trees/copy_entry.ts";
import type { MountWay } from "./mounted_overlay.ts";
import { type EntryFacts, factsOf, isSameEntry } from "../trees/entry_facts.ts";
import { type Tree, walkTree } from "../trees/walk_tree.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

/** What is kept about an overlay. */
export interface OverlayInfo {
  v: 1;
  /** The id of its session. */
  id: string;
  /** Absolute, real path. */
  workspace: string;
  /** ISO 8601. */
  started: string;
  /** When the copy was whole, in milliseconds since 1970; or when the kernel could lay it, in whole seconds. */
  copied: number;
  /** The command that began it, if that is no run. @default a run's own trace tells */
  task?: string;
  /** The kernel lays it over the workspace, and nothing was copied. @default it is a copy */
  mounted?: MountWay;
}

/** A copy of a workspace that one session works in. */
export interface Overlay extends OverlayInfo {
  /** Its own folder. */
  folder: string;
  /** The copy, or what was written. */
  tree: string;
}

/** An entry when the copy was made: in the workspace and in the copy. */
export interface CopiedEntry {
  original: EntryFacts;
  copy: EntryFacts;
}

const INFO_FILE = "overlay.json";
/** Its time is that of an overlay's beginning. */
export const BEGAN_FILE = "began";
const MANIFEST_FILE = "manifest.jsonl";
/** It is there while a run works in the overlay, and stays if that is killed. */
const RUNNING_FILE = "running";
/** A folder with this beginning is a copy that is being made or removed. */
const PART = ".part-";
/** How long to wait for whoever is at work on such a copy, in milliseconds. */
const PART_WAIT_MS = 50;

/** Returns the folder of all overlays. */
export function overlaysFolder(state: string): string {
  return join(state, "overlays");
}

/**
 * Copies a workspace for a session. Until the copy is whole, there is no overlay. Needs `read`, `write` and `run`.
 *
 * @returns The overlay, and what could not be copied
 * @throws {ToolError} `configuration` if bulkhead's own files lie in the workspace, `unavailable` without space
 */
export async function makeOverlay(
  state: string,
  { id, workspace, now, task }: { id: string; workspace: string; now: Date; task?: string },
): Promise<{ overlay: Overlay; left: string[] }> {
  refuseState(state, workspace);
  const folder = join(overlaysFolder(state), id);
  const part = join(dirname(folder), `${PART}${id}`);
  using _held = await hold(part);
  try {
    // Looked at first: what changes while it is copied counts as changed since.
    const original = await wholeTree(workspace);
    await copyEntry(workspace, join(part, "tree"), { size: sizeOf(original), lenient: true });
    const copy = await wholeTree(join(part, "tree"));
    const info: OverlayInfo = {
      v: 1,
      id,
      workspace,
      started: now.toISOString(),
      copied: Date.now(),
      ...(task !== undefined && { task }),
    };
    const entries = new Map<string, CopiedEntry>();
    for (const [path, facts] of original.entries) {
      const copied = copy.entries.get(path);
      if (copied) entries.set(path, { original: facts, copy: copied });
    }
    writeManifest(part, entries);
    Deno.writeTextFileSync(join(part, INFO_FILE), jsonLine(info), { mode: 0o600 });
    Deno.renameSync(part, folder);
    const lost = [...original.entries].filter(([path, { kind }]) =>
      kind !== "other" && !copy.entries.has(path)
    );
    return {
      overlay: { ...info, ...places(folder, info) },
      left: [...original.unseen, ...lost.map(([path]) => path)],
    };
  } catch (error) {
    await Deno.remove(part, { recursive: true }).catch(() => {});
    throw error;
  }
}

/**
 * Makes an overlay that the kernel lays over a workspace: it costs the same however large that is. Needs `read`, `write` and
 * `run`.
 *
 * @param options `findWay` tries it in an empty folder beside it
 * @returns The overlay, or why the kernel lays none
 * @throws {ToolError} `configuration` if bulkhead's own files lie in the workspace
 */
export async function layOverlay(
  state: string,
  { id, workspace, now, task, findWay }: {
    id: string;
    workspace: string;
    now: Date;
    task?: string;
    findWay: (folder: string) => Promise<MountWay | { cause: string }>;
  },
): Promise<Overlay | { cause: string }> {
  refuseState(state, workspace);
  const folder = join(overlaysFolder(state), id);
  const part = join(dirname(folder), `${PART}${id}`);
  using _held = await hold(part);
  try {
    const trial = join(part, "trial");
    Deno.mkdirSync(trial, { mode: 0o700 });
    const mounted = await findWay(trial);
    await removeTree(trial);
    if ("cause" in mounted) {
      await Deno.remove(part, { recursive: true });
      return mounted;
    }
    // What is written there has the mode of the workspace's own folder.
    Deno.mkdirSync(join(part, "upper"));
    Deno.chmodSync(join(part, "upper"), factsOf(workspace)?.mode ?? 0o700);
    for (const name of ["work", "at"]) Deno.mkdirSync(join(part, name), { mode: 0o700 });
    writeManifest(part, new Map());
    const began = join(part, BEGAN_FILE);
    Deno.writeTextFileSync(began, "", { mode: 0o600 });
    const info: OverlayInfo = {
      v: 1,
      id,
      workspace,
      started: now.toISOString(),
      copied: factsOf(began)!.ctime,
      ...(task !== undefined && { task }),
      mounted,
    };
    Deno.writeTextFileSync(join(part, INFO_FILE), jsonLine(info), { mode: 0o600 });
    Deno.renameSync(part, folder);
    return { ...info, ...places(folder, info) };
  } catch (error) {
    await removeTree(part).catch(() => {});
    throw error;
  }
}

function refuseState(state: string, workspace: string): void {
  if (!isInside(workspace, state)) return;
  throw new ToolError(
    "configuration",
    `Cannot copy "${workspace}": bulkhead's own files lie in it, in "${state}"; choose a smaller --workspace, ` +
      "or set XDG_STATE_HOME to another folder",
  );
}

/** Lists the overlays, the newest first. Needs `read`. */
export function listOverlays(state: string): Overlay[] {
  const names = namesIn(overlaysFolder(state)).filter((name) => SESSION_ID.test(name));
  return names.flatMap((name) => readOverlay(state, name) ?? [])
    .sort((a, b) => a.started < b.started ? 1 : -1);
}

/** Returns the overlay of a session, `null` if it has none. Needs `read`. */
export function readOverlay(state: string, id: string): Overlay | null {
  const folder = join(overlaysFolder(state), id);
  try {
    const info = JSON.parse(readNamedText(join(folder, INFO_FILE))) as OverlayInfo;
    return info.v === 1 && info.id === id ? { ...info, ...places(folder, info) } : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Finds an overlay: that of a session, whose id may be shortened, or the workspace's newest one. Needs `read`.
 *
 * @throws {ToolError} `invalid_input` if there is none
 */
export function findOverlay(state: string, wanted: { id: string | null; workspace: string }): Overlay {
  const all = listOverlays(state);
  const { id, workspace } = wanted;
  if (id === null) {
    const newest = all.find((overlay) => overlay.workspace === workspace);
    if (newest) return newest;
    throw new ToolError("invalid_input", `No overlay of "${workspace}" waits, see: bulkhead sessions`);
  }
  const found = all.filter((overlay) => overlay.id === id);
  const begun = found.length > 0 ? found : all.filter((overlay) => overlay.id.startsWith(id));
  if (begun.length === 1) return begun[0]!;
  const candidates = begun.length > 1 ? begun.map((one) => one.id) : nearest(id, all.map((one) => one.id));
  const hint = candidates.length > 0 ? `${didYouMean(candidates.slice(0, 3))} See` : ", see";
  throw new ToolError("invalid_input", `No overlay has the id "${id}"${hint}: bulkhead sessions`, {
    details: { candidates },
  });
}

/** Takes an overlay for this process until it is disposed of. Throws `conflict` if another one uses it. */
export async function holdOverlay({ folder }: Overlay): Promise<Disposable> {
  return await hold(folder);
}

/** Runs something in an overlay, which this process holds. Needs `read` and `write`. */
export async function workIn<T>(overlay: Overlay, run: () => Promise<T>): Promise<T> {
  using _held = await holdOverlay(overlay);
  const path = join(overlay.folder, RUNNING_FILE);
  Deno.writeTextFileSync(path, "", { mode: 0o600 });
  const end = await run();
  Deno.removeSync(path);
  return end;
}

/** Says whether a run works in an overlay, or was killed there: its changes may not be whole. Needs `read`. */
export function isUnended({ folder }: Overlay): boolean {
  return factsOf(join(folder, RUNNING_FILE)) !== null;
}

/** Removes an overlay with all that was written into it. Needs `read` and `write`. */
export async function removeOverlay(overlay: Overlay): Promise<void> {
  using _held = await holdOverlay(overlay);
  // From here on there is no overlay, whatever interrupts the rest.
  const part = join(dirname(overlay.folder), `${PART}${crypto.randomUUID()}`);
  Deno.renameSync(overlay.folder, part);
  await removeTree(part);
}

/** Reads what was there when the copy was made. Needs `read`. */
export function readManifest({ folder }: Overlay): Map<string, CopiedEntry> {
  const lines = readNamedText(join(folder, MANIFEST_FILE)).split("\n");
  return new Map(
    lines.filter((line) => line !== "").map((line) => {
      const [path, original, copy] = JSON.parse(line) as [string, EntryFacts, EntryFacts];
      return [path, { original, copy }];
    }),
  );
}

/** Writes the manifest anew, whole or not at all. Needs `write`. */
export function writeManifest(folder: string, entries: ReadonlyMap<string, CopiedEntry>): void {
  const path = join(folder, MANIFEST_FILE);
  const lines = [...entries].map(([path, { original, copy }]) => jsonLine([path, original, copy]));
  Deno.writeTextFileSync(`${path}.new`, lines.join(""), { mode: 0o600 });
  Deno.renameSync(`${path}.new`, path);
}

function sizeOf({ entries }: Tree): CopySize {
  return { entries: entries.size, bytes: [...entries.values()].reduce((sum, { size }) => sum + size, 0) };
}

async function wholeTree(root: string): Promise<Tree> {
  return await walkTree(root) ?? { entries: new Map(), unseen: [] };
}

function places(at: string, { mounted }: OverlayInfo): { folder: string; tree: string } {
  const folder = realOrNull(at) ?? at;
  return { folder, tree: join(folder, mounted ? "upper" : "tree") };
}

/**
 * Removes copies that were not whole when the process that made or removed them was killed. Needs `read` and `write`.
 *
 * @returns How many
 */
export async function removeParts(state: string): Promise<number> {
  const folder = overlaysFolder(state);
  let count = 0;
  for (const name of namesIn(folder).filter((name) => name.startsWith(PART))) {
    const part = join(folder, name);
    try {
      using _held = await hold(part, { waitMs: PART_WAIT_MS });
      await removeTree(part);
      count++;
    } catch (error) {
      // Somebody is at work on it.
      if (!(error instanceof ToolError) || error.code !== "conflict") throw error;
    }
  }
  return count;
}

async function hold(folder: string, wait: { waitMs?: number } = {}): Promise<Disposable> {
  return await openTrace(join(folder, "lock"), { redact: (text) => text, ...wait });
}

/** A folder that its owner closed must be opened before it can be removed. */
async function removeTree(folder: string): Promise<void> {
  const tree = await wholeTree(folder);
  for (const [path, { kind, mode }] of tree.entries) {
    if (kind === "folder" && (mode & 0o700) !== 0o700) Deno.chmodSync(join(folder, path), 0o700);
  }
  if (!isSameEntry(factsOf(folder), null)) await Deno.remove(folder, { recursive: true });
}

function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
