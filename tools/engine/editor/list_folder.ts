import { join } from "@std/path";

import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isUnnamed, warnAboutUnnamed } from "../file/unnamed.ts";
import { expectReal } from "../file/expect_real.ts";

/** One entry of a folder's listing. */
export interface FolderEntry {
  /** Path below the listed folder. */
  path: string;
  folder: boolean;
}

/** What {@linkcode listFolder} gives. */
export interface FolderListing {
  /** Depth first; in each folder sorted by name, without case. */
  entries: FolderEntry[];
  /** More entries exist than are listed. */
  truncated: boolean;
}

/** Options of {@linkcode listFolder}. */
export interface ListOptions {
  /** Shows a link to a granted folder as that folder. @default false */
  followLinks?: boolean;
}

const LEVELS = 2;
const MAX_ENTRIES = 10_000;

/**
 * Lists a located folder two levels deep, without hidden names and without what may not be read. Needs `read` of the
 * folder.
 */
export async function listFolder(
  folder: Location,
  context: ToolContext,
  options: ListOptions = {},
): Promise<FolderListing> {
  const entries: FolderEntry[] = [];
  const state = { context, options, entries, unnamed: 0 };
  await walk({ real: folder.real, below: "", level: 1 }, state);
  warnAboutUnnamed(state.unnamed, context);
  return { entries: entries.slice(0, MAX_ENTRIES), truncated: entries.length > MAX_ENTRIES };
}

interface Place {
  real: string;
  below: string;
  level: number;
}

interface Walk {
  context: ToolContext;
  options: ListOptions;
  entries: FolderEntry[];
  unnamed: number;
}

async function walk(place: Place, state: Walk): Promise<void> {
  for (const entry of await readSorted(place, state)) {
    if (state.entries.length > MAX_ENTRIES) return;
    const path = join(place.below, entry.name);
    const real = await folderBehind(join(place.real, entry.name), entry, state);
    state.entries.push({ path, folder: real !== null });
    if (real !== null && place.level < LEVELS) {
      await walk({ real, below: path, level: place.level + 1 }, state);
    }
  }
}

async function readSorted(place: Place, state: Walk): Promise<Deno.DirEntry[]> {
  const { context } = state;
  const found: Deno.DirEntry[] = [];
  try {
    for await (const entry of Deno.readDir(place.real)) {
      context.signal.throwIfAborted();
      const path = join(place.real, entry.name);
      if (entry.name.startsWith(".") || !context.files.mayRead(path)) continue;
      if (isUnnamed(entry.name, path)) state.unnamed++;
      else found.push(entry);
    }
    expectReal(place.real);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const message = `Cannot list "${place.real}": the system denies it, or it is gone`;
    if (place.level === 1) throw new ToolError("permission_denied", message, { cause: error });
    context.warn(message);
    return [];
  }
  const keyed = found.map((entry) => ({ entry, key: entry.name.toLowerCase() }));
  keyed.sort((a, b) => compare(a.key, b.key) || compare(a.entry.name, b.entry.name));
  return keyed.map(({ entry }) => entry);
}

function isRefusal(error: unknown): boolean {
  return [
    Deno.errors.PermissionDenied,
    Deno.errors.NotCapable,
    Deno.errors.NotFound,
    Deno.errors.NotADirectory,
  ]
    .some((type) => error instanceof type);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the real path of an entry that is shown as a folder; a link that leads out of the grants is not. */
async function folderBehind(real: string, entry: Deno.DirEntry, state: Walk): Promise<string | null> {
  if (entry.isDirectory) return real;
  if (!entry.isSymlink || !state.options.followLinks) return null;
  try {
    const target = await state.context.files.locate(real, "read");
    return target.info?.isDirectory ? target.real : null;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
