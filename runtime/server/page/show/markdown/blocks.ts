import { Marked, type Token } from "marked";

import { FORMULAS } from "./formula_tokens.ts";

/** A text of a model, cut into its blocks. */
export interface Blocks {
  text: string;
  blocks: readonly Token[];
}

const reader = new Marked({ gfm: true }).use({ extensions: FORMULAS });

/** Cuts a text into blocks. Of a text that has grown, only the last blocks are read again. */
export function readBlocks(text: string, before: Blocks | null): Blocks {
  const clean = text.replace(/\r\n?/g, "\n");
  const kept = before && clean.startsWith(before.text) ? settledBlocks(before) : [];
  const done = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  return { text: clean, blocks: [...kept, ...reader.lexer(clean.slice(done))] };
}

/** The blocks that more text cannot change. */
function settledBlocks({ text, blocks }: Blocks): readonly Token[] {
  // A definition of a link counts in the whole text, and only a reader of all of it knows it.
  if (blocks.some(({ type }) => type === "def")) return [];
  const isWhole = blocks.reduce((sum, { raw }) => sum + raw.length, 0) === text.length;
  const filled = blocks.flatMap(({ type }, at) => type === "space" ? [] : [at]);
  return isWhole ? blocks.slice(0, filled.at(-2) ?? 0) : [];
}

/** A table of which only the head is there yet, so that its bars are not seen first; others as they are. */
export function asTableHead(block: Token): Token {
  if (block.type !== "paragraph" || !/^ {0,3}\|/.test(block.raw)) return block;
  const head = block.raw.split("\n")[0]!.trim().replace(/\|?$/, "|");
  const rule = "|---".repeat(head.split("|").length - 2) + "|";
  const table = reader.lexer(`${head}\n${rule}\n`)[0];
  return table?.type === "table" ? { ...table, raw: block.raw } : block;
}
