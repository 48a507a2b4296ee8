import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { isObject } from "../../../schemas/json/shape.ts";

/** A member of an object, by places in the text. */
interface Member {
  key: string;
  /** Where the key begins. */
  at: number;
  /** Where the value begins, and where it ends. */
  from: number;
  to: number;
}

/** An object, by places in the text. */
interface ObjectPlace {
  from: number;
  /** Where its closing bracket stands. */
  close: number;
  members: readonly Member[];
  /** A comma follows the last member. */
  hasLastComma: boolean;
}

/**
 * Sets a value in a text of JSON with comments; everything else stays as it is, blanks and comments included.
 *
 * @param text What {@linkcode parseJsonc} can read; an empty one is an empty object
 * @param path The names of members, the outermost first
 * @returns `null` if something on the way is no object
 */
export function setInJson(text: string, path: readonly string[], value: unknown): string | null {
  const start = text.trim() === "" ? "{}\n" : text;
  const at = skipBlank(start, start.startsWith("\ufeff") ? 1 : 0);
  return start[at] === "{" ? setIn(start, at, path, value) : null;
}

function setIn(
  text: string,
  at: number,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): string | null {
  const place = readObject(text, at);
  // Of two members of one name, readers take the last.
  const member = place.members.findLast(({ key }) => key === name);
  if (!member) {
    return addMember(text, place, name, rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value));
  }
  if (rest.length > 0) return text[member.from] === "{" ? setIn(text, member.from, rest, value) : null;
  return text.slice(0, member.from) + laidOut(text, value, indentAt(text, member.from)) +
    text.slice(member.to);
}

/**
 * Takes a value out of a text of JSON with comments; everything else stays as it is.
 *
 * @param path The names of members, the outermost first
 * @returns `null` if it is not there
 */
export function removeFromJson(text: string, path: readonly string[]): string | null {
  const at = skipBlank(text, text.startsWith("\ufeff") ? 1 : 0);
  return text[at] === "{" ? removeFrom(text, at, path) : null;
}

function removeFrom(text: string, at: number, [name = "", ...rest]: readonly string[]): string | null {
  const { members, from, close } = readObject(text, at);
  const index = members.findLastIndex(({ key }) => key === name);
  const member = members[index];
  if (member === undefined) return null;
  if (rest.length > 0) return text[member.from] === "{" ? removeFrom(text, member.from, rest) : null;
  const next = members[index + 1];
  if (next !== undefined) return text.slice(0, member.at) + text.slice(next.at);
  const before = members[index - 1];
  const comma = before === undefined ? from : skipBlank(text, before.to);
  // A comment behind the comma keeps its line.
  const kept = before === undefined
    ? text.slice(from + 1, member.at)
    : text.slice(before.to, comma) + text.slice(comma + 1, member.at);
  const end = skipBlank(text, member.to);
  const after = text.slice(text[end] === "," ? end + 1 : member.to, close);
  const inner = kept.trimEnd() + after;
  return text.slice(0, before?.to ?? from + 1) + (before === undefined && inner.trim() === "" ? "" : inner) +
    text.slice(close);
}

function addMember(text: string, place: ObjectPlace, name: string, value: unknown): string {
  const { close, members, hasLastComma } = place;
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, place.from);
  const [first] = members;
  const isSpread = first !== undefined && text.slice(place.from, first.from).includes("\n");
  const indent = isSpread ? indentAt(text, first.from) : outer + unitOf(text);
  const last = members.at(-1);
  const comma = last !== undefined && !hasLastComma ? "," : "";
  const upTo = last?.to ?? place.from + 1;
  // A comment behind the last member keeps its line.
  const between = text.slice(upTo, close).trimEnd();
  const added = `${line}${indent}${JSON.stringify(name)}: ${laidOut(text, value, indent)}`;
  return `${text.slice(0, upTo)}${comma}${between}${added}${line}${outer}${text.slice(close)}`;
}

/** A value in the file's own way of indenting. */
function laidOut(text: string, value: unknown, indent: string): string {
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${line}${indent}`);
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

/** The blanks that the line of a place begins with. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))![0];
}

function readObject(text: string, from: number): ObjectPlace {
  const members: Member[] = [];
  let hasLastComma = false;
  let at = skipBlank(text, from + 1);
  while (text[at] !== "}") {
    const end = endOfText(text, at);
    const key = String(JSON.parse(text.slice(at, end)));
    const start = skipBlank(text, skipBlank(text, end) + 1);
    const to = endOfValue(text, start);
    members.push({ key, at, from: start, to });
    at = skipBlank(text, to);
    hasLastComma = text[at] === ",";
    if (hasLastComma) at = skipBlank(text, at + 1);
  }
  return { from, close: at, members, hasLastComma };
}

/** Passes blanks and comments. */
function skipBlank(text: string, from: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex;
}

function endOfText(text: string, from: number): number {
  const quoted = /"(?:[^"\\]|\\[^])*"/y;
  quoted.lastIndex = from;
  quoted.exec(text);
  return quoted.lastIndex;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfText(text, from);
  if (text[from] !== "{" && text[from] !== "[") {
    const word = /[^\s,}\]/]+/y;
    word.lastIndex = from;
    word.exec(text);
    return word.lastIndex;
  }
  let depth = 0;
  for (let at = from;; at = skipBlank(text, at)) {
    if (text[at] === '"') {
      at = endOfText(text, at);
      continue;
    }
    if (text[at] === "{" || text[at] === "[") depth++;
    if (text[at] === "}" || text[at] === "]") depth--;
    at++;
    if (depth === 0 || at >= text.length) return at;
  }
}

/** What a text must say once the value is set; for a check. */
export function expectedJson(text: string, path: readonly string[], value: unknown, what: string): unknown {
  const before = text.trim() === "" ? {} : parseJsonc(text.replace(/^\ufeff/, ""), what);
  return withValue(before, path, value);
}

/** Returns a copy without the value. */
export function withoutValue(object: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (!isObject(object)) return object;
  const { [name]: inner, ...others } = object;
  return rest.length === 0 ? others : { ...object, [name]: withoutValue(inner, rest) };
}

/** Returns a copy with the value set. */
export function withValue(object: unknown, [name = "", ...rest]: readonly string[], value: unknown): unknown {
  const fields = isObject(object) ? object : {};
  return { ...fields, [name]: rest.length === 0 ? value : withValue(fields[name], rest, value) };
}
