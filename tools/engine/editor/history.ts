import type { SessionState } from "../../../schemas/context.ts";

/** How to take one edit back: `removed` replaces the `added` units at the offset. */
export interface Reversal {
  /** UTF-16 offset into the text after the edit. */
  at: number;
  removed: string;
  added: number;
}

/** What is kept of an edit to take it back. */
export interface PastEdit {
  /** Real path of the file. */
  path: string;
  /** SHA-256 of the file after the edit, in hex: undo refuses if the file has changed. */
  after: string;
  /** `null` if the edit created the file. */
  reversal: Reversal | null;
}

/** Bounds of the history. */
export interface HistoryBounds {
  /** Edits kept for one file. */
  levels: number;
  /** UTF-16 units of text kept in all. @default 8 Mi, which is 16 MiB of memory */
  maxUnits?: number;
}

const KEY = "str_replace_editor.history";
const MAX_UNITS = 8 * 1024 * 1024;
/** Size of an edit besides its text, in units. */
const ENTRY_UNITS = 200;

/**
 * Adds an edit to the session's history; the oldest ones that exceed the bounds are dropped.
 *
 * @returns False if the edit alone is too large to be kept
 */
export async function recordEdit(
  session: SessionState,
  edit: PastEdit,
  bounds: HistoryBounds,
): Promise<boolean> {
  const { levels, maxUnits = MAX_UNITS } = bounds;
  const history = [...await readHistory(session), edit];
  const ofFile = history.filter((past) => past.path === edit.path);
  const surplus = new Set(ofFile.slice(0, Math.max(0, ofFile.length - levels)));
  const kept = withinUnits(history.filter((past) => !surplus.has(past)), maxUnits);
  await session.set(KEY, kept);
  return kept.length > 0;
}

function withinUnits(history: PastEdit[], maxUnits: number): PastEdit[] {
  let units = 0;
  let first = history.length;
  while (first > 0) {
    units += unitsOf(history[first - 1]);
    if (units > maxUnits) break;
    first--;
  }
  return history.slice(first);
}

function unitsOf(edit: PastEdit | undefined): number {
  if (!edit) return 0;
  return ENTRY_UNITS + edit.path.length + (edit.reversal?.removed.length ?? 0);
}

/** Returns the last edit of a file that is not undone, or `null`. */
export async function lastEdit(session: SessionState, path: string): Promise<PastEdit | null> {
  return (await readHistory(session)).findLast((edit) => edit.path === path) ?? null;
}

/** Forgets the last edit of a file. */
export async function dropLastEdit(session: SessionState, path: string): Promise<void> {
  const history = await readHistory(session);
  const last = history.findLastIndex((edit) => edit.path === path);
  await session.set(KEY, history.filter((_, index) => index !== last));
}

async function readHistory(session: SessionState): Promise<PastEdit[]> {
  return (await session.get(KEY) ?? []) as PastEdit[];
}

/** Returns the SHA-256 of a text's UTF-8 bytes, in hex. */
export async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
