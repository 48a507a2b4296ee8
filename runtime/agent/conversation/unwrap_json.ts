import { isObject } from "../../../schemas/json/shape.ts";
import { closeQuotes, escapeControls, jsonValues, outOfFence } from "./mend_json.ts";

/** The text of a JSON object, and what was mended to read it. */
export interface UnwrappedJson {
  text: string;
  /** In words, such as "in a code fence". */
  mended: string[];
}

/** How often JSON may be wrapped in a string of JSON. */
const MAX_ENCODINGS = 3;
/** How often the same object may be given. */
const MAX_SAME = 20;

/** What models do to JSON that has one meaning only. */
const MENDS: readonly (readonly [words: string, mend: (text: string) => string])[] = [
  ["in a code fence", outOfFence],
  ["with bare line breaks in its texts", escapeControls],
  ["in single quotes", closeQuotes],
  ["twice", onlyOne],
];

/**
 * Finds the text of a JSON object: also inside strings of JSON, in a code fence, with bare line breaks in its texts, in
 * single quotes, and given twice (or beside an empty one). `null` if there is no object, or if more than one is meant.
 */
export function unwrapJson(text: string): UnwrappedJson | null {
  const inner = decode(text);
  if (inner !== null) return { text: inner, mended: [] };
  const mended: string[] = [];
  let rest = text.trim();
  for (const [words, mend] of MENDS) {
    const next = mend(rest);
    if (next === rest) continue;
    mended.push(words);
    rest = next;
    const found = decode(rest);
    if (found !== null) return { text: found, mended };
  }
  return null;
}

/** Providers read the arguments of earlier calls, and some accept only a JSON object. */
export function wellFormed(text: string): string {
  const inner = text.trim() === "" ? "{}" : unwrapJson(text)?.text;
  return inner ?? JSON.stringify({ not_json: text });
}

function decode(text: string): string | null {
  let inner: unknown = text;
  for (let step = 0; step <= MAX_ENCODINGS && typeof inner === "string"; step++) {
    const value = parse(inner);
    if (isObject(value)) return inner;
    inner = value;
  }
  return null;
}

/** The one object of several that say the same, or nothing. */
function onlyOne(text: string): string {
  const values = jsonValues(text);
  if (values === null || values.length < 2 || values.length > MAX_SAME) return text;
  const full = values.filter((value) => JSON.stringify(parse(value)) !== "{}");
  const meanings = new Set(full.map((value) => JSON.stringify(parse(value))));
  return meanings.size > 1 ? text : full[0] ?? values[0]!;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
