import type { Token } from "marked";

/** A piece of code, and the classes of its colour. */
export interface ColouredPart {
  text: string;
  classes: string;
}

/** What is read and laid out apart from the page, each with what is asked and what is answered. */
export interface ReaderJobs {
  /** Cuts a text into blocks; with `isOpen` more of it may come. */
  blocks: { asked: { text: string; isOpen: boolean }; answer: readonly Token[] };
  /** Draws a diagram, as the address of a picture. */
  diagram: { asked: { text: string }; answer: string };
  /** Splits code into parts by colour. */
  colours: { asked: { text: string; language: string }; answer: readonly ColouredPart[] };
}

export type Kind = keyof ReaderJobs;

/** A job as it goes to the reader. */
export type Job = { [kind in Kind]: { kind: kind; asked: ReaderJobs[kind]["asked"] } }[Kind];

/**
 * What the reader tells: that it has loaded what a job needs, from when on its time counts, and its answer, which is
 * `null` for what is not understood or is too much for a page.
 */
export type Told = { isBegun: true } | { answer: unknown };
