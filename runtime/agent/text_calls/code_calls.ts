import { isObject } from "../../../schemas/json/shape.ts";
import { matchAt, type ReadCalls, skipBlanks, type WrittenCall } from "./written_call.ts";

/** How deep lists and objects may stand within each other. */
const MAX_DEPTH = 40;
const NAME = /[A-Za-z_][\w.-]*/y;
const KEY = /([A-Za-z_]\w*)\s*=(?!=)/y;
const BARE_KEY = /[A-Za-z_][\w-]*(?=\s*:)/y;
const NUMBER = /[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /(?:True|False|None|true|false|null)(?!\w)/y;
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, none: null, null: null };
const QUOTE = /[rRbBuUfF]{0,2}("""|'''|"|')|(<escape>|<\|"\|>)/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", 0: "\0", "\n": "" };
/** How some models lead a call to its tool. */
const PRINT = /print\s*\(\s*(?=[A-Za-z_][\w.-]*\s*\()/y;
const COLON = /call:\s*([\w.\/-]+)\s*(?=\{)/y;
const BETWEEN = /[\s;,]*/y;

interface Value {
  value: unknown;
  end: number;
}

/**
 * Reads calls in the form of code: `[Read(path="a"), Grep(pattern="b")]`, one call a line, or `call:Read{path:"a"}`. Arguments
 * have names, or are one object; values are those of Python and JSON.
 *
 * @returns `null` if none begins here
 */
export function readCodeCalls(text: string, from: number): ReadCalls | null {
  const start = skipBlanks(text, from);
  const isList = text[start] === "[";
  const calls: WrittenCall[] = [];
  let end = start;
  for (let at = isList ? start + 1 : start;;) {
    const call = readCall(text, skipBlanks(text, at));
    if (call === null) break;
    calls.push(call.call);
    end = call.end;
    at = matchAt(BETWEEN, text, end)!.index + matchAt(BETWEEN, text, end)![0].length;
  }
  if (calls.length === 0) return null;
  if (!isList) return { calls, end };
  const close = skipBlanks(text, end);
  return text[close] === "]" ? { calls, end: close + 1 } : null;
}

function readCall(text: string, from: number): { call: WrittenCall; end: number } | null {
  const print = matchAt(PRINT, text, from);
  const at = from + (print?.[0].length ?? 0);
  const read = readColon(text, at) ?? readParentheses(text, at);
  if (read === null || !print) return read;
  const close = skipBlanks(text, read.end);
  return text[close] === ")" ? { ...read, end: close + 1 } : null;
}

/** `call:Read{path:<escape>a<escape>}`, as the smaller models of Google write it. */
function readColon(text: string, at: number): { call: WrittenCall; end: number } | null {
  const [head = "", name = ""] = matchAt(COLON, text, at) ?? [];
  const read = name === "" ? null : readValue(text, at + head.length, 0);
  return read && isObject(read.value)
    ? { call: { name, input: { value: read.value } }, end: read.end }
    : null;
}

function readParentheses(text: string, from: number): { call: WrittenCall; end: number } | null {
  const [said] = matchAt(NAME, text, from) ?? [];
  if (said === undefined || text[from + said.length] !== "(") return null;
  // Tools that Llama knows by itself are called so.
  const name = said.replace(/\.call$/, "");
  let value: Record<string, unknown> = {};
  for (let at = skipBlanks(text, from + said.length + 1);;) {
    if (text[at] === ")") return { call: { name, input: { value } }, end: at + 1 };
    const [head = "", key = ""] = matchAt(KEY, text, at) ?? [];
    const read = readValue(text, skipBlanks(text, at + head.length), 0);
    if (read === null) return null;
    if (key !== "") value = { ...value, [key]: read.value };
    else if (isObject(read.value) && Object.keys(value).length === 0) value = read.value;
    else return null;
    at = skipBlanks(text, read.end);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
    else if (text[at] !== ")") return null;
  }
}

function readValue(text: string, at: number, depth: number): Value | null {
  if (depth > MAX_DEPTH) return null;
  if (text[at] === "[" || text[at] === "(") return readList(text, at, depth);
  if (text[at] === "{") return readObject(text, at, depth);
  const [word] = matchAt(WORD, text, at) ?? [];
  if (word !== undefined) return { value: WORDS[word.toLowerCase()], end: at + word.length };
  const [number] = matchAt(NUMBER, text, at) ?? [];
  if (number !== undefined) return { value: Number(number.replaceAll("_", "")), end: at + number.length };
  return readTexts(text, at);
}

function readList(text: string, start: number, depth: number): Value | null {
  const close = text[start] === "[" ? "]" : ")";
  const value: unknown[] = [];
  for (let at = skipBlanks(text, start + 1);;) {
    if (text[at] === close) return { value, end: at + 1 };
    const read = readValue(text, at, depth + 1);
    if (read === null) return null;
    value.push(read.value);
    at = skipBlanks(text, read.end);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
    else if (text[at] !== close) return null;
  }
}

function readObject(text: string, start: number, depth: number): Value | null {
  const entries: [string, unknown][] = [];
  for (let at = skipBlanks(text, start + 1);;) {
    if (text[at] === "}") return { value: Object.fromEntries(entries), end: at + 1 };
    const [bare] = matchAt(BARE_KEY, text, at) ?? [];
    const key = bare === undefined ? readTexts(text, at) : { value: bare, end: at + bare.length };
    const colon = key && skipBlanks(text, key.end);
    if (colon === null || text[colon] !== ":") return null;
    const read = readValue(text, skipBlanks(text, colon + 1), depth + 1);
    if (read === null) return null;
    entries.push([String(key!.value), read.value]);
    at = skipBlanks(text, read.end);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
    else if (text[at] !== "}") return null;
  }
}

/** Texts beside each other are one, as in Python. */
function readTexts(text: string, from: number): Value | null {
  let value = "";
  let end = -1;
  for (let at = from;; at = skipBlanks(text, end)) {
    const read = readText(text, at);
    if (read === null) return end < 0 ? null : { value, end };
    value += read.value;
    end = read.end;
  }
}

function readText(text: string, start: number): { value: string; end: number } | null {
  const [head = "", quote, special] = matchAt(QUOTE, text, start) ?? [];
  const close = quote ?? special;
  if (close === undefined) return null;
  const isRaw = special !== undefined || /^[^'"]*r/i.test(head);
  const parts: string[] = [];
  for (let at = start + head.length; at < text.length; at++) {
    if (text.startsWith(close, at)) return { value: parts.join(""), end: at + close.length };
    if (text[at] !== "\\" || isRaw) {
      // A text in single quotes ends on its line in Python; models break it, and mean the break.
      parts.push(text[at]!);
      continue;
    }
    const [all, hex] = matchAt(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))/iy, text, at) ?? [];
    if (all !== undefined) {
      const code = parseInt(hex ?? all.slice(2), 16);
      parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : all);
      at += all.length - 1;
      continue;
    }
    const next = text[++at] ?? "";
    parts.push(ESCAPES[next] ?? (/["'\\]/.test(next) ? next : `\\${next}`));
  }
  return null;
}
