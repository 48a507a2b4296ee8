import { isUtf8 } from "node:buffer";

import { ALONE, type Alphabet, ALPHABETS, JOINING, type Named, RARE_SIGNS, SIGNS } from "./alphabets.ts";
import { type Codec, legacyCodec, unicodeCodec, UTF_8 } from "./codec.ts";
import { scoreEastAsia } from "./east_asia.ts";

/** What the bytes of a text file are. */
export type Detection =
  /** They are this encoding for sure. */
  | { sure: true; codec: Codec; text: string }
  /** These may be it, the likeliest first. */
  | { sure: false; likely: Codec[] };

/** How much likelier than a reading that gives another text: e to the power of this. */
const SURE = 2;
/** Bytes from which a legacy encoding is told. */
const SAMPLE_BYTES = 4 * 1024;
/** What is less likely than any bytes is nothing that people write. */
const LEAST = 0;

const MARKS: readonly (readonly [codec: Codec, mark: readonly number[]])[] = [
  [unicodeCodec("UTF-32LE", 4, true), [0xff, 0xfe, 0, 0]],
  [unicodeCodec("UTF-32BE", 4, false), [0, 0, 0xfe, 0xff]],
  [unicodeCodec("UTF-16LE", 2, true), [0xff, 0xfe]],
  [unicodeCodec("UTF-16BE", 2, false), [0xfe, 0xff]],
];

/** Says whether the first bytes of a file are text in UTF-16 or UTF-32. */
export function isWideText(head: Uint8Array): boolean {
  // The last character may be cut.
  const whole = head.subarray(0, head.length & ~3);
  const cut = whole.length < 64 ? head : whole.subarray(0, whole.length - 4);
  return [cut, cut.subarray(0, cut.length - 2)].some((bytes) => {
    const found = detectUnicode(bytes);
    return found?.sure === true && found.codec !== UTF_8;
  });
}

/** Tells in which encoding a text file is written; `null` if it holds bytes that no text has. */
export function detectEncoding(bytes: Uint8Array): Detection | null {
  const unicode = detectUnicode(bytes);
  if (unicode !== undefined) return unicode;
  return detectLegacy(bytes);
}

function detectUnicode(bytes: Uint8Array): Detection | null | undefined {
  const marked = MARKS.filter(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  const codecs = marked.length > 0 ? marked : bytes.includes(0) ? MARKS : [];
  for (const [codec] of codecs) {
    const text = codec.decode(bytes);
    if (text !== null && (marked.length > 0 || isPlain(text))) return { sure: true, codec, text };
  }
  if (bytes.includes(0)) return null;
  if (!isUtf8(bytes)) return undefined;
  return { sure: true, codec: UTF_8, text: UTF_8.decode(bytes) ?? "" };
}

/** Says whether a text that was decoded without a mark is one: mostly ASCII, and without control characters. */
function isPlain(text: string): boolean {
  // deno-lint-ignore no-control-regex
  if (text.length < 2 || /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffe\uffff]/.test(text)) return false;
  // deno-lint-ignore no-control-regex
  return (text.match(/[\x09-\x7e]/g)?.length ?? 0) * 2 > text.length;
}

interface Reading {
  named: Named;
  text: string;
  score: number;
}

/** Likelihood of any byte beyond ASCII. All scores are natural logarithms, compared with it. */
const BY_CHANCE = Math.log(1 / 128);

function detectLegacy(bytes: Uint8Array): Detection | null {
  // deno-lint-ignore no-control-regex
  if (/[\0-\x07\x0e-\x1a\x1c-\x1f]/.test(new TextDecoder("latin1").decode(bytes))) return null;
  const sample = sampleOf(bytes);
  const readings = [...scoreEastAsia(sample, BY_CHANCE), ...scoreAlphabets(sample), brokenUtf8(sample)]
    .filter(({ score }) => score > LEAST)
    .toSorted((one, other) => other.score - one.score)
    .flatMap(({ named, score }): Reading[] => {
      const text = legacyCodec(...named).decode(bytes);
      return text === null && named !== BROKEN ? [] : [{ named, text: text ?? "", score }];
    });
  const [best] = readings;
  if (!best) return { sure: false, likely: [] };
  const rival = readings.find(({ text }) => text !== best.text);
  if (best.named !== BROKEN && (!rival || best.score - rival.score >= SURE)) {
    return { sure: true, codec: legacyCodec(...best.named), text: best.text };
  }
  const likely = readings.filter(({ named }) => named !== BROKEN).slice(0, 3);
  return {
    sure: false,
    likely: best.named === BROKEN ? [] : likely.map(({ named }) => legacyCodec(...named)),
  };
}

const BROKEN: Named = ["UTF-8", "utf-8"];
/** Most of a text whose end was cut off, or in which a text of another encoding was pasted. */
function brokenUtf8(sample: Uint8Array): { named: Named; score: number } {
  const text = new TextDecoder().decode(sample);
  const broken = text.split("\ufffd").length - 1;
  const whole = (text.match(/[^\0-\x7f\ufffd]/g) ?? []).length;
  return { named: BROKEN, score: whole * 3 - broken * 4 };
}

/** The first lines that are not ASCII. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const lines: Uint8Array[] = [];
  let room = SAMPLE_BYTES;
  for (let at = bytes.findIndex(isHigh); at >= 0 && room > 0;) {
    const start = Math.max(bytes.lastIndexOf(10, at) + 1, at - room);
    const feed = bytes.indexOf(10, at);
    const line = bytes.subarray(start, Math.min(feed < 0 ? bytes.length : feed + 1, start + SAMPLE_BYTES));
    lines.push(line);
    room -= line.length;
    const next = bytes.subarray(start + line.length).findIndex(isHigh);
    at = next < 0 ? -1 : start + line.length + next;
  }
  return Uint8Array.from(lines.flatMap((line) => [...line]));
}

const isHigh = (byte: number) => byte >= 0x80;

function scoreAlphabets(sample: Uint8Array): { named: Named; score: number }[] {
  const best = new Map<Named, number>();
  // Several alphabets have one encoding.
  const read = new Map<Named, Words | null>();
  for (const alphabet of ALPHABETS) {
    const weights = weightsOf(alphabet);
    for (const named of alphabet.encodings) {
      if (!read.has(named)) read.set(named, readWords(legacyCodec(...named).decode(sample)));
      const words = read.get(named);
      if (!words) continue;
      let score = alphabet.prior + (alphabet.latin ? words.oddAsLatin : words.oddAsOther);
      for (const [character, count] of words.characters) {
        score += count * ((weights.get(character) ?? weightOfSign(character)) - BY_CHANCE);
      }
      best.set(named, Math.max(best.get(named) ?? -Infinity, score));
    }
  }
  return [...best].map(([named, score]) => ({ named, score }));
}

/** What is not ASCII in a text, and how odd its words look, in the Latin script and in another one. */
interface Words {
  characters: ReadonlyMap<string, number>;
  oddAsLatin: number;
  oddAsOther: number;
}

const MIXED = /\p{Ll}\p{Lu}/u;
const CAPITALS = /^\p{Lu}{2,}$/u;
const WORDS = /[\p{L}\p{M}]*[^\0-\x7f][\p{L}\p{M}]*/gu;
const RARE = -12;
const MIXED_SCRIPT = -4;
const MIXED_CASE = -6;
const BESIDE = -2.5;
const SIGN = Math.log(0.02);
const RARE_SIGN = Math.log(0.003);

function readWords(text: string | null): Words | null {
  if (text === null) return null;
  const characters = new Map<string, number>();
  let oddAsLatin = 0;
  let oddAsOther = 0;
  for (const [word] of text.matchAll(WORDS)) {
    for (const character of word.toLowerCase()) {
      if (character >= "\x80") characters.set(character, (characters.get(character) ?? 0) + 1);
    }
    const letters = word.replace(/[A-Za-z]+/g, "");
    const inside = [...word.slice(1, -1)].filter(isOddInside).length * RARE;
    oddAsLatin += inside + oddLatin(word) + (MIXED.test(word) ? MIXED_CASE : 0);
    oddAsOther += inside + (letters === word ? 0 : MIXED_SCRIPT) + (MIXED.test(letters) ? MIXED_CASE : 0) +
      (CAPITALS.test(letters) ? -1 : 0);
  }
  return { characters, oddAsLatin, oddAsOther };
}

/** Says whether a sign stands where only letters do. */
function isOddInside(character: string): boolean {
  return character >= "\x80" && !/[\p{L}\p{M}]/u.test(character) && !JOINING.has(character);
}

function weightOfSign(character: string): number {
  return SIGNS.has(character) ? SIGN : RARE_SIGNS.has(character) ? RARE_SIGN : RARE;
}

/** Accents stand among letters of ASCII, and seldom beside each other. */
function oddLatin(word: string): number {
  if (/^\p{L}$/u.test(word) && !ALONE.has(word.toLowerCase())) return MIXED_CASE;
  const beside = word.match(/[^\0-\x7f](?=[^\0-\x7f])/g)?.length ?? 0;
  return beside * BESIDE;
}

/** How much of a text the letters of each group make. */
const SHARES = [[1], [0.82, 0.18], [0.58, 0.32, 0.1]] as const;

function weightsOf({ letters }: Alphabet): ReadonlyMap<string, number> {
  const shares = SHARES[letters.length - 1] ?? [];
  return new Map(
    letters.flatMap((group, index) =>
      Array.from(group, (letter) => [letter, Math.log((shares[index] ?? 0) / group.length)] as const)
    ),
  );
}
