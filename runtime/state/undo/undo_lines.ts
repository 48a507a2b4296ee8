import type { EntryFacts } from "../trees/entry_facts.ts";

/** What begins a record. */
export interface UndoHead {
  session: string;
  /** Absolute, real path. */
  workspace: string;
  /** ISO 8601. */
  time: string;
  /** What makes the changes: a run, or the command that brings an overlay in. */
  by: "run" | "apply";
}

/** A line of a record. Paths are absolute. */
export type UndoLine =
  | ({ t: "open"; v: 1 } & UndoHead)
  /** What was there before the first change. A later line about the same path holds in the place of an earlier one. */
  | { t: "keep"; path: string; before: EntryFacts | null }
  /** A tool is about to change it, at this time in milliseconds. */
  | { t: "touch"; path: string; at: number }
  /** What the run left there. */
  | { t: "after"; path: string; after: EntryFacts | null }
  /** Somebody else changed it between two changes of the run. */
  | { t: "foreign"; path: string }
  /** All that was in these folders when the first program began, as the lines of a file of its own say. */
  | { t: "base"; roots: string[] }
  | { t: "begin" }
  | { t: "end" }
  | { t: "close" }
  | { t: "undone" };

/** The file of a record's lines. */
export const LINES_FILE = "changes.jsonl";
/** The file of what was there when the first program began: a line `[path, facts]` an entry. */
export const BASE_FILE = "base.jsonl";
/** The folder of what was kept, by absolute path. */
export const KEPT_FOLDER = "kept";
/** Its time of change says until when the programs of the run were watched. */
export const ALIVE_FILE = "alive";
