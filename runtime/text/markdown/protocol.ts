import type { Token } from "marked";

/** A text for the reader of Markdown, and the number of the question. */
export interface BlocksQuestion {
  n: number;
  text: string;
  /** More of the text may come. */
  isOpen: boolean;
}

/** Its blocks, `null` if they are too much to be drawn; or why it cannot be read. */
export type BlocksAnswer = { n: number; blocks: readonly Token[] | null } | { n: number; failure: string };
