import { isDeeper } from "../../../text/json_depth.ts";

/** What a mark of something left out takes at most, in characters. */
const MARK = 40;
/** Not worth to be begun with. */
const LITTLE = 8;
/** JSON that is nested deeper is cut as any text. */
const MAX_DEPTH = 200;

/** How long values are as JSON; each is counted once. */
type Sizes = WeakMap<object, number>;

/**
 * Cuts a text to so many characters. JSON stays JSON: long texts, lists and objects in it become shorter, and say what they
 * have lost. All else is cut at its end.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const value = parsed(text);
  if (value !== undefined) {
    const sizes: Sizes = new WeakMap();
    for (let room = limit; room > LITTLE; room = Math.floor(room * 0.8)) {
      const short = JSON.stringify(cutValue(value, room, sizes));
      if (short.length <= limit) return short;
    }
    return JSON.stringify(Array.isArray(value) ? [] : {}).slice(0, Math.max(limit, 2));
  }
  const mark = `\n[${text.length - Math.max(0, limit - MARK)} more characters]`;
  return `${wholeUnits(text, Math.max(0, limit - mark.length))}${mark}`.slice(0, Math.max(limit, 1));
}

/** Only an object or a list: a number or a word is a text like any other. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isDeeper(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cutValue(value: unknown, room: number, sizes: Sizes): unknown {
  if (typeof value === "string") return cutString(value, room);
  if (typeof value !== "object" || value === null || sizeOf(value, sizes) <= room) return value;
  return Array.isArray(value) ? cutList(value, room, sizes) : cutObject(value, room, sizes);
}

function sizeOf(value: unknown, sizes: Sizes): number {
  if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const parts = Array.isArray(value)
    ? value.map((item) => sizeOf(item, sizes) + 1)
    : Object.entries(value).map(([name, item]) => JSON.stringify(name).length + sizeOf(item, sizes) + 2);
  const size = parts.reduce((sum, part) => sum + part, 2);
  sizes.set(value, size);
  return size;
}

function cutString(text: string, room: number): string {
  if (text.length <= room && JSON.stringify(text).length <= room) return text;
  const kept = wholeUnits(text, Math.max(0, Math.min(text.length, room) - MARK));
  return `${kept}…[${text.length - kept.length} more characters]`;
}

function cutList(list: readonly unknown[], room: number, sizes: Sizes): unknown[] {
  const kept: unknown[] = [];
  let left = room - MARK;
  for (const item of list) {
    if (left < LITTLE) break;
    const short = cutValue(item, left, sizes);
    left -= JSON.stringify(short).length + 1;
    if (left < 0) break;
    kept.push(short);
  }
  return kept.length === list.length ? kept : [...kept, `…[${list.length - kept.length} more items]`];
}

function cutObject(object: object, room: number, sizes: Sizes): Record<string, unknown> {
  const entries = Object.entries(object);
  const kept: [string, unknown][] = [];
  let left = room - MARK;
  for (const [name, value] of entries) {
    const named = JSON.stringify(name).length + 2;
    if (left - named < LITTLE) break;
    const short = cutValue(value, left - named, sizes);
    left -= named + JSON.stringify(short).length;
    if (left < 0) break;
    kept.push([name, short]);
  }
  if (kept.length < entries.length) kept.push(["…", `${entries.length - kept.length} more fields`]);
  return Object.fromEntries(kept);
}

/** Never half of a character. */
function wholeUnits(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
