/** What a word of another system is: the section of its page. */
export const FOREIGN_KINDS = {
  flag: "Commands and flags",
  variable: "Variables",
  file: "Files and their fields",
  tool: "Tools",
  api: "In a program",
  event: "Events, results and routes",
} as const;

/** What a word of another system is. */
export type ForeignKind = keyof typeof FOREIGN_KINDS;

/** A word of another system, and what it is here. */
export interface ForeignWord {
  /** As it is written there; of a flag and a field, the first word alone is the name. */
  theirs: string;
  /** What stands for it, as it is written here; `null` if nothing does. */
  here: string | null;
  /** What is different, as a sentence without an end. @default nothing */
  says?: string;
  /** It can be given here as it stands there, and means the same. @default it is refused, and told what stands for it */
  works?: true;
}

/** Another system, as its users know it. */
export interface ForeignSystem {
  title: string;
  /** Other names by which it is asked for. */
  aliases: readonly string[];
  /** What somebody does first: lines of Markdown. */
  lead: readonly string[];
  words: Readonly<Partial<Record<ForeignKind, readonly ForeignWord[]>>>;
}
