import { Marked, type Token } from "marked";

import { FORMULAS } from "./formula_tokens.ts";
import { isShowable } from "./work.ts";

const reader = new Marked({ gfm: true }).use({ extensions: FORMULAS });

/**
 * Cuts a text into blocks.
 *
 * @param isOpen More of the text may come: a table of which only the head is there yet is one, so that its bars are not
 *   seen first
 * @returns `null` if a page could not bear what it holds
 */
export function cutBlocks(text: string, isOpen: boolean): Token[] | null {
  const blocks = [...reader.lexer(text)];
  if (!isShowable(blocks)) return null;
  const last = blocks.findLastIndex(({ type }) => type !== "space");
  if (isOpen && last >= 0) blocks[last] = asTableHead(blocks[last]!);
  return blocks;
}

function asTableHead(block: Token): Token {
  if (block.type !== "paragraph" || !/^ {0,3}\|/.test(block.raw)) return block;
  const head = block.raw.split("\n")[0]!.trim().replace(/\|?$/, "|");
  const rule = "|---".repeat(head.split("|").length - 2) + "|";
  const table = reader.lexer(`${head}\n${rule}\n`)[0];
  return table?.type === "table" ? { ...table, raw: block.raw } : block;
}
