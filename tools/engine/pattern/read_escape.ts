import type { Cursor, Property } from "./syntax.ts";

/** Control characters that have a letter, and `\\`. */
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([["x", 2], ["u", 4], ["U", 8]]);

/** What to write for escapes that other languages have. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ["e", "write \\x1b"],
  ["E", "escape each sign with \\"],
  ["G", "leave it out"],
  ["h", "write [ \\t]"],
  ["H", "write [^ \\t]"],
  ["K", "write what stands before as a look-behind (?<=…)"],
  ["N", "write [^\\n] for a character of a line, or the character itself for \\N{NAME}"],
  ["Q", "escape each sign with \\"],
  ["R", "write (?:\\r\\n|\\r|\\n)"],
  ["X", "write a dot"],
  ["z", "write \\Z"],
]);

/**
 * Reads an escape that means one character, or a property; the backslash has been passed. Letters are escapes
 * only where Python or JavaScript's `\p` knows them, so that none is read as itself.
 *
 * @throws {SyntaxError} For an unknown letter and for digits that are missing
 */
export function readCharacterEscape(cursor: Cursor): number | Property {
  const letter = cursor.take();
  if (letter === "") throw new SyntaxError("a backslash ends the pattern, write \\\\ for a backslash");
  const digits = HEX_DIGITS.get(letter);
  if (digits !== undefined) return readHex(letter, digits, cursor);
  const control = CONTROLS.get(letter);
  if (control !== undefined) return control;
  if (letter === "p" || letter === "P") return readProperty(letter, cursor);
  if (/[a-zA-Z]/.test(letter)) throw unknownEscape(letter);
  return letter.codePointAt(0)!;
}

/** Returns the error for an escape that Python does not know. */
export function unknownEscape(letter: string): SyntaxError {
  const replacement = REPLACEMENTS.get(letter);
  return new SyntaxError(
    `the escape \\${letter} is not known, ${replacement ?? `write ${letter} for the letter itself`}`,
  );
}

/**
 * Reads up to three octal digits, the first of which has been passed.
 *
 * @throws {SyntaxError} Above `\377`
 */
export function readOctal(first: string, cursor: Cursor): number {
  const digits = first + cursor.takeWhile(/[0-7]/, 2);
  const value = parseInt(digits, 8);
  if (value > 0o377) throw new SyntaxError(`the octal escape \\${digits} is above \\377`);
  return value;
}

function readHex(letter: string, count: number, cursor: Cursor): number {
  const braced = letter === "u" && cursor.skip("{");
  const digits = cursor.takeWhile(/[0-9a-fA-F]/, braced ? 6 : count);
  const complete = braced ? digits !== "" && cursor.skip("}") : digits.length === count;
  const value = parseInt(digits, 16);
  if (!complete || value > 0x10ffff) {
    throw new SyntaxError(`the escape \\${letter}${digits} is not complete, it needs ${count} hex digits`);
  }
  return value;
}

function readProperty(letter: string, cursor: Cursor): Property {
  const name = cursor.skip("{") ? cursor.takeUntil("}") : null;
  if (name === null) throw new SyntaxError(`the escape \\${letter} needs a property, such as \\${letter}{L}`);
  const source = `\\${letter}{${name}}`;
  try {
    new RegExp(source, "u");
  } catch (cause) {
    throw new SyntaxError(`the property ${source} is not known`, { cause });
  }
  return { type: "property", source };
}
