import type { Token } from "marked";

import { isShowable } from "../../../../text/foreign/work.ts";

/** A text of a model, cut into its blocks. */
export interface Blocks {
  text: string;
  /** More of the text may come. */
  isOpen: boolean;
  /** `null` if they are too much for a page, or take too long to read. */
  blocks: readonly Token[] | null;
}

/** Reads a text whose end is not known yet; `null` if it cannot be shown. */
export type CutBlocks = (asked: { text: string; isOpen: boolean }) => Promise<readonly Token[] | null>;

/** Cuts a text into blocks. Of a text that has grown, only the last blocks are read again. */
export async function readBlocks(
  { text, isOpen, before }: { text: string; isOpen: boolean; before: Blocks | null },
  cut: CutBlocks,
): Promise<Blocks> {
  const hasGrown = before !== null && text.startsWith(before.text);
  if (hasGrown && before.blocks === null) return { text, isOpen, blocks: null };
  const kept = hasGrown ? settledBlocks(before) : [];
  const done = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  const rest = await cut({ text: text.slice(done), isOpen });
  const blocks = rest && [...kept, ...rest];
  return { text, isOpen, blocks: blocks && isShowable(blocks) ? blocks : null };
}

/** The blocks that more text cannot change. */
function settledBlocks({ text, blocks }: Blocks): readonly Token[] {
  // A definition of a link counts in the whole text, and only a reader of all of it knows it.
  if (!blocks || blocks.some(({ type }) => type === "def")) return [];
  const isWhole = blocks.reduce((sum, { raw }) => sum + raw.length, 0) === text.length;
  const filled = blocks.flatMap(({ type }, at) => type === "space" ? [] : [at]);
  return isWhole ? blocks.slice(0, filled.at(-2) ?? 0) : [];
}
