import { join } from "@std/path";

import { covers } from "../../walls/grants/path_access.ts";
import type { EntryFacts } from "../trees/entry_facts.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

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

/** Paths that a program cannot change, with all below them. */
export interface Shut {
  paths: readonly string[];
  /** Paths below them that it can change all the same. */
  except: readonly string[];
}

/** Nothing is shut. */
export const OPEN: Shut = { paths: [], except: [] };

/** Says whether none of some programs can have changed what was at a path before them. */
export function wereShut(path: string, shuts: readonly Shut[]): boolean {
  return shuts.every(({ paths, except }) => covers(paths, path) && !covers(except, path));
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
  /** A program begins, whose walls keep it from changing what is `shut`. @default nothing is */
  | { t: "begin"; shut?: Shut }
  | { t: "end" }
  | { t: "close" }
  /** These are about to be put back: whatever interrupts it, what is there until then is nobody's work. */
  | { t: "undoing"; paths: string[] }
  /** What could be put back is back; the rest was left as it was. */
  | { t: "partly" }
  | { t: "undone" };

/** The file of a record's lines. */
export const LINES_FILE = "changes.jsonl";
/** The file of what was there when the first program began: a line `[path, facts]` an entry. */
export const BASE_FILE = "base.jsonl";
/** The folder of what was kept, by absolute path. */
export const KEPT_FOLDER = "kept";
const SIZE_FILE = "bytes";

/** Notes how much a record keeps, so that nobody has to add it up. */
export function noteBytes(folder: string, bytes: number): void {
  Deno.writeTextFileSync(join(folder, SIZE_FILE), String(bytes), { mode: 0o600 });
}

/** Returns about how much a record keeps: single files are not counted. Needs `read`. */
export function keptBytes(folder: string): number {
  try {
    return Number(readNamedText(join(folder, SIZE_FILE))) || 0;
  } catch {
    return 0;
  }
}

/** Its time of change says until when the programs of the run were watched. */
export const ALIVE_FILE = "alive";
/** Its time of change says until when the run was being taken back. */
export const UNDOING_FILE = "undoing";

/** How often that is noted, in milliseconds. */
const ALIVE_MS = 500;

/** Notes from now on, until it is disposed of, that this process works with a record. Needs `write`. */
export function keepAlive(folder: string, file: typeof ALIVE_FILE | typeof UNDOING_FILE): Disposable {
  const beat = () => {
    const path = join(folder, file);
    try {
      Deno.writeTextFileSync(path, "", { mode: 0o600 });
      Deno.utimeSync(path, new Date(), new Date());
    } catch {
      // Without it, less can be undone after a crash; the work goes on.
    }
  };
  beat();
  const timer = setInterval(beat, ALIVE_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
