import { readCharacterEscape, readOctal, unknownEscape } from "./read_escape.ts";
import type { Category, ClassItem, Cursor, Flags, Node } from "./syntax.ts";

/**
 * Reads a class as Python does: `]` as the first item is a character, and `[` needs no escape. POSIX classes
 * such as `[:alpha:]` are known too. The bracket has been passed.
 *
 * @throws {SyntaxError} For a class without end, a range that runs backwards and an unknown POSIX class
 */
export function readClass(cursor: Cursor, { ascii, ignoreCase }: Flags): Node {
  const negated = cursor.skip("^");
  const items: ClassItem[] = [];
  for (let first = true; first || cursor.next !== "]"; first = false) {
    if (cursor.isAtEnd) throw new SyntaxError("a class has no end, write \\[ for the sign [");
    items.push(...readItems(cursor, ascii));
  }
  cursor.take();
  return { type: "class", negated, items, ignoreCase };
}

/** Reads a category escape such as `\w`; `null` for any other letter. */
export function readCategory(cursor: Cursor, ascii: boolean): Category | null {
  if (!/[wdsWDS]/.test(cursor.next)) return null;
  const letter = cursor.take();
  return {
    type: "category",
    letter: letter.toLowerCase() as Category["letter"],
    negated: letter !== letter.toLowerCase(),
    ascii,
  };
}

function readItems(cursor: Cursor, ascii: boolean): readonly ClassItem[] {
  const posix = readPosixClass(cursor, ascii);
  if (posix) return posix;
  const low = readItem(cursor, ascii);
  if (cursor.next !== "-" || cursor.peek(2) === "-]" || cursor.peek(2) === "-") return [low];
  cursor.take();
  const high = readItem(cursor, ascii);
  if (low.type !== "range" || high.type !== "range" || high.from < low.from) {
    throw new SyntaxError("a range of a class runs backwards or has no end, write \\- for the sign -");
  }
  return [{ type: "range", from: low.from, to: high.from }];
}

function readItem(cursor: Cursor, ascii: boolean): ClassItem {
  if (!cursor.skip("\\")) return single(cursor.take().codePointAt(0) ?? 0);
  const category = readCategory(cursor, ascii);
  if (category) return category;
  if (cursor.skip("b")) return single(0x08);
  if (/[0-7]/.test(cursor.next)) return single(readOctal(cursor.take(), cursor));
  if (/[89]/.test(cursor.next)) throw unknownEscape(cursor.next);
  const escaped = readCharacterEscape(cursor);
  return typeof escaped === "number" ? single(escaped) : escaped;
}

function single(value: number): ClassItem {
  return { type: "range", from: value, to: value };
}

const range = (from: string, to = from): ClassItem => ({
  type: "range",
  from: from.codePointAt(0)!,
  to: to.codePointAt(0)!,
});

const DIGITS = range("0", "9");
const LETTERS = [range("a", "z"), range("A", "Z")];

const POSIX_CLASSES: ReadonlyMap<string, readonly ClassItem[]> = new Map([
  ["alnum", [...LETTERS, DIGITS]],
  ["alpha", LETTERS],
  ["blank", [range(" "), range("\t")]],
  ["cntrl", [range("\0", "\x1f"), range("\x7f")]],
  ["digit", [DIGITS]],
  ["graph", [range("!", "~")]],
  ["lower", [range("a", "z")]],
  ["print", [range(" ", "~")]],
  ["punct", [range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~")]],
  ["upper", [range("A", "Z")]],
  ["xdigit", [DIGITS, range("A", "F"), range("a", "f")]],
]);

function readPosixClass(cursor: Cursor, ascii: boolean): readonly ClassItem[] | null {
  const name = /^\[:(\w+):\]/.exec(cursor.peek(16))?.[1];
  if (name === undefined) return null;
  cursor.skip(`[:${name}:]`);
  if (name === "space") return [{ type: "category", letter: "s", negated: false, ascii }];
  if (name === "word") return [{ type: "category", letter: "w", negated: false, ascii }];
  const items = POSIX_CLASSES.get(name);
  if (!items) throw new SyntaxError(`the class [:${name}:] is not known`);
  return items;
}
