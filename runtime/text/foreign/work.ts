import type { Token } from "marked";

/** Elements of one text that a page shows without a stop that is felt. */
const MOST_ELEMENTS = 30_000;
/** Deeper ones would use up the stack of whoever draws them. */
const MOST_DEPTH = 60;
/** Characters of a formula, and of code whose parts get colours, that are as much to draw as one element. */
const FORMULA_CHARACTERS = 4;
const CODE_CHARACTERS = 16;

/** Tells whether a page can show these blocks: what they hold counts, not how long they are. */
export function isShowable(blocks: readonly Token[]): boolean {
  let left = MOST_ELEMENTS;
  const count = (tokens: readonly unknown[], depth: number): boolean =>
    depth <= MOST_DEPTH && tokens.every((token) => {
      left -= 1 + weightOf(token);
      return left >= 0 && innerOf(token).every((inner) => count(inner, depth + 1));
    });
  return count(blocks, 0);
}

function weightOf(token: unknown): number {
  const { type, tex, text, lang } = token as {
    type?: unknown;
    tex?: unknown;
    text?: unknown;
    lang?: unknown;
  };
  if (typeof tex === "string") return tex.length / FORMULA_CHARACTERS;
  return type === "code" && lang && typeof text === "string" ? text.length / CODE_CHARACTERS : 0;
}

/** Lists of what stands in a block: its tokens, the items of a list, the cells of a table. */
function innerOf(token: unknown): unknown[][] {
  const { tokens, items, header, rows } = token as Record<string, unknown>;
  return [tokens, items, header, ...Array.isArray(rows) ? rows : []].filter(Array.isArray);
}
