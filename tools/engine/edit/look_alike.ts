import { lineNumberAt } from "../file/text_file.ts";

/** A place of which a reader sees no difference from the wanted text. */
export interface LookAlike {
  /** Its first line, from 1. */
  line: number;
  /** The characters that differ. */
  difference: string;
}

const MAX_PLACES = 3;
const MAX_NAMED = 3;

const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const BLANK = /(?![\n\r\t ])[\p{Zs}\u2028\u2029\u0085]/u;
/** Signs that look like one of ASCII. Letters of other scripts stand in the order of the Latin ones. */
const SIGNS: readonly (readonly [string, string])[] = [
  ["\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u02d7\u2043\ufe58", "-"],
  ["\u2018\u2019\u201a\u201b\u2032\u02b9\u02bc\u02c8\u055a\u00b4", "'"],
  ["\u201c\u201d\u201e\u201f\u2033\u02ba", '"'],
  ["\u2215\u2044\u29f8", "/"],
  ["\u2236\ua789", ":"],
];
const LETTERS = "АВЕЅІЈКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο";
const LATIN = "ABESIJKMHOPCTXaeopcyxijsABEZHIKMNOPTYXo";
const ALIKE: ReadonlyMap<string, string> = new Map([
  ...SIGNS.flatMap(([signs, sign]) => [...signs].map((one) => [one, sign] as const)),
  ...[...LETTERS].map((letter, at) => [letter, LATIN[at]!] as const),
]);

/**
 * Finds where a text stands that only looks like the wanted one: letters and their accents apart or together, special
 * blanks, characters that nobody sees, other dashes, quotes and letters. Line ends must be `\n`.
 */
export function findLookAlikes(text: string, wanted: string): LookAlike[] {
  if (isAscii(wanted) && isAscii(text)) return [];
  const target = folded(wanted).text;
  if (target.trim() === "") return [];
  const { text: plain, starts } = folded(text);
  const places: LookAlike[] = [];
  for (let at = plain.indexOf(target); at >= 0 && places.length < MAX_PLACES;) {
    const start = starts[at]!;
    const stood = text.slice(start, starts[at + target.length] ?? text.length);
    places.push({ line: lineNumberAt(text, start), difference: nameDifferences(stood, wanted) });
    at = plain.indexOf(target, at + target.length);
  }
  return places;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Returns what a reader sees of a text, and for each of its units the offset of the character that it comes from. */
function folded(text: string): { text: string; starts: readonly number[] } {
  const parts: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const seen = foldCharacter(character);
    for (let unit = 0; unit < seen.length; unit++) starts.push(at);
    parts.push(seen);
    at += character.length;
  }
  return { text: parts.join(""), starts };
}

function foldCharacter(character: string): string {
  if (character <= "\x7f") return character;
  const known = ALIKE.get(character);
  if (known !== undefined) return known;
  if (IGNORED.test(character)) return "";
  if (BLANK.test(character)) return " ";
  return [...character.normalize("NFKD")].map((one) => ALIKE.get(one) ?? (BLANK.test(one) ? " " : one)).join(
    "",
  );
}

/** Goes through two texts that look the same, and names the characters that differ. */
function nameDifferences(stood: string, wanted: string): string {
  const [file, own] = [[...stood], [...wanted]];
  const named: string[] = [];
  let before = "";
  for (let [i, j] = [0, 0]; i < file.length || j < own.length;) {
    if (file[i] === own[j] && !isMark(file[i + 1]) && !isMark(own[j + 1])) {
      before = file[i]!;
      [i, j] = [i + 1, j + 1];
      continue;
    }
    const isUnseen = j < own.length && foldCharacter(own[j]!) === "";
    const [has, asked]: [string[], string[]] = [[], isUnseen ? [own[j++]!] : []];
    let [a, b] = ["", ""];
    while (!isUnseen && (has.length + asked.length === 0 || a !== b || isMark(file[i]) || isMark(own[j]))) {
      if (i < file.length && (a.length <= b.length || j >= own.length)) {
        a += foldCharacter(take(file, has, i++));
      } else if (j < own.length) b += foldCharacter(take(own, asked, j++));
      else break;
    }
    if (has.join("") !== asked.join("")) named.push(nameDifference(has, asked, before));
    before = has.at(-1) ?? before;
  }
  const all = [...new Set(named)];
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  return `it looks the same, but the file has ${all.slice(0, MAX_NAMED).join("; ")}${more}`;
}

function take(from: readonly string[], into: string[], at: number): string {
  into.push(from[at]!);
  return from[at]!;
}

function isMark(character: string | undefined): boolean {
  return character !== undefined && character > "\x7f" && /\p{M}/u.test(character);
}

function nameDifference(has: readonly string[], asked: readonly string[], before: string): string {
  const after = before === "" ? "at its start" : `after ${JSON.stringify(before)}`;
  if (asked.length === 0) return `${codes(has)} ${after}, where yours has nothing`;
  if (has.length === 0) return `nothing ${after}, where yours has ${codes(asked)}`;
  const isComposed = has.length > asked.length && isMark(has.at(-1));
  const what = isComposed && !isMark(has[0])
    ? `${codes(has.slice(1))} after ${JSON.stringify(has[0])}`
    : codes(has);
  return `${what} instead of ${asked.join("") === " " ? "a blank" : codes(asked)}`;
}

function codes(characters: readonly string[]): string {
  return characters.map((one) => {
    const code = `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
    return one === " " ? "a blank" : /^[!-~]$/.test(one) ? JSON.stringify(one) : code;
  }).join(" ");
}
