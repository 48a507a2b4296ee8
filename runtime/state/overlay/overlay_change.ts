import type { EntryFacts } from "../trees/entry_facts.ts";

/** A difference between an overlay and its workspace. */
export interface OverlayChange {
  /** Relative to the workspace. */
  path: string;
  /** As in git: added, modified, deleted. */
  status: "A" | "M" | "D";
  /** What was in the workspace when the copy was made. */
  before: EntryFacts | null;
  /** What is in the overlay. */
  after: EntryFacts | null;
  /** The workspace has changed there since the copy was made. */
  isOutdated: boolean;
}

/** All differences, by path, and what of the overlay cannot be looked at or brought in. */
export interface OverlayChanges {
  changes: OverlayChange[];
  /** Names that are no UTF-8, sockets, devices. */
  unseen: string[];
}

/** Says whether two entries are alike, apart from times. */
export function isSameState(here: EntryFacts | null, now: EntryFacts | null): boolean {
  if (here === null || now === null) return here === now;
  if (here.kind !== now.kind) return false;
  if (here.kind === "link") return here.target === now.target;
  return here.mode === now.mode && here.size === now.size;
}
