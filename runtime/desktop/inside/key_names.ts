import { ToolError } from "../../../schemas/error.ts";

/** Keys by name, and the numbers that X has for their signs. */
const NAMED: Readonly<Record<string, number>> = {
  backspace: 0xff08,
  tab: 0xff09,
  enter: 0xff0d,
  esc: 0xff1b,
  delete: 0xffff,
  insert: 0xff63,
  home: 0xff50,
  left: 0xff51,
  up: 0xff52,
  right: 0xff53,
  down: 0xff54,
  pageup: 0xff55,
  pagedown: 0xff56,
  end: 0xff57,
  space: 0x20,
  printscreen: 0xff61,
  pause: 0xff13,
  menu: 0xff67,
  capslock: 0xffe5,
  numlock: 0xff7f,
  scrolllock: 0xff14,
  shift: 0xffe1,
  ctrl: 0xffe3,
  alt: 0xffe9,
  win: 0xffeb,
  ...Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`f${index + 1}`, 0xffbe + index])),
};

/** Characters that are keys with a name. */
const KEYS_OF_TEXT: Readonly<Record<string, number>> = {
  "\n": NAMED.enter!,
  "\t": NAMED.tab!,
  "\b": NAMED.backspace!,
};

/** The Unicode signs of X begin here. */
const UNICODE = 0x0100_0000;

/** Returns the number that X has for a character. */
export function signOf(character: string): number {
  const known = KEYS_OF_TEXT[character];
  if (known !== undefined) return known;
  const point = character.codePointAt(0)!;
  return point <= 0xff ? point : UNICODE + point;
}

/**
 * Returns the number that X has for a key of this name: a character, or one of the known names.
 *
 * @throws {ToolError} `invalid_input` for a key that there is not
 */
export function signOfKey(name: string): number {
  const known = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (known !== undefined) return known;
  const [character, ...more] = name;
  if (character !== undefined && more.length === 0 && !isControl(character)) return signOf(character);
  throw new ToolError(
    "invalid_input",
    `There is no key ${JSON.stringify(name)}: name a character, or one of ${Object.keys(NAMED).join(", ")}`,
  );
}

/** Says whether a character is none that can be typed. */
export function isControl(character: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(character) && !Object.hasOwn(KEYS_OF_TEXT, character);
}
