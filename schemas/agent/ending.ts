/** A file that a run changed. */
export interface ChangedFile {
  /** From the workspace on, or absolute for a file outside. */
  path: string;
  /** What happened to it. */
  status: "added" | "modified" | "deleted";
  /** Lines that were added; `null` if they could not be counted, as for pictures and for files that programs changed. */
  added: number | null;
  /** Lines that were removed, `null` as for `added`. */
  removed: number | null;
}

/** A call that a run refused. */
export interface RefusedCall {
  /** Full name. */
  tool: string;
  /** The flags that would allow it, all of them, as words of a command line; empty if no flag does. */
  flags: readonly string[];
  /** Why it was refused. */
  message: string;
}

/** What a run left behind, for whoever started it. */
export interface RunEnding {
  /** Files that differ from before the run, at most 1000. A replayed call that was not run changes none. */
  changed: readonly ChangedFile[];
  /** Each refusal once. */
  refused: readonly RefusedCall[];
  /** The command that goes on with the session; `null` without one. */
  resume: string | null;
}
