import type { Token } from "marked";

/** A text for the reader of texts of others, without the number of the question. */
export type TextAsk =
  /** Markdown becomes blocks; with `isOpen`, more of the text may come. */
  | { text: string; isOpen: boolean }
  /** A pattern is searched in lines. */
  | { pattern: string; ignoreCase: boolean; lines: readonly string[] };

/** Where a pattern was found in a line: starts and ends. */
export type Ranges = readonly (readonly [start: number, end: number])[];

/** What was read, `blocks: null` if they are too much to be drawn; or why it cannot be read. */
export type TextAnswer =
  | { n: number; blocks: readonly Token[] | null }
  | { n: number; ranges: readonly Ranges[] }
  | { n: number; failure: string };
