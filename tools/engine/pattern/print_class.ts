import { printMember } from "./print_character.ts";
import type { Category, ClassItem, Node } from "./syntax.ts";

/** JavaScript with the meaning of ASCII, or with the flag `v`. */
export type Dialect = "ascii" | "unicode";

/** A dot of Python's. */
export const ANY_BUT_FEED = "[^\\n]";

/** Writes a class. */
export function printClass(
  { negated, items }: Extract<Node, { type: "class" }>,
  dialect: Dialect,
): string {
  return `[${negated ? "^" : ""}${items.map((item) => printItem(item, dialect)).join("")}]`;
}

/** Writes what stands in a class; the brackets are not part of it. */
export function printItem(item: ClassItem, dialect: Dialect): string {
  if (item.type === "property") return item.source;
  if (item.type === "category") return dialect === "ascii" ? shortCategory(item) : longCategory(item);
  const { from, to } = item;
  const low = printMember(from, dialect);
  return from === to ? low : `${low}-${printMember(to, dialect)}`;
}

function shortCategory({ letter, negated }: Category): string {
  return `\\${negated ? letter.toUpperCase() : letter}`;
}

/** What Python's categories hold: in its strings, and under its flag `a`. */
const MEMBERS: Readonly<Record<Category["letter"], readonly [text: string, ascii: string]>> = {
  w: ["\\p{L}\\p{N}_", "A-Za-z0-9_"],
  d: ["\\p{Nd}", "0-9"],
  s: [
    "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
    "\\t-\\r\\x20",
  ],
};

function longCategory({ letter, negated, ascii }: Category): string {
  const members = MEMBERS[letter][ascii ? 1 : 0];
  return negated ? `[^${members}]` : members;
}
