import { endOfJson } from "../conversation/mend_json.ts";
import { readCodeCalls } from "./code_calls.ts";
import { isJsonText, readJsonText } from "./json_calls.ts";
import { MARK, readMarked } from "./marked_calls.ts";
import { readToolTag } from "./tag_calls.ts";
import { type ReadCalls, skipBlanks, type WrittenCall } from "./written_call.ts";

/** What a text that holds calls is made of. */
export interface WrittenCalls {
  calls: WrittenCall[];
  /** They stand between marks that mean a call and nothing else. */
  marked: boolean;
  /** They stand in a code fence. */
  fenced: boolean;
  /** Some cannot be read. */
  broken: boolean;
  /** What stands before the first of them, without thoughts. */
  before: string;
  /** What stands between and behind them. */
  behind: string;
  /** The calls as they were written, with their marks. */
  text: string;
}

/** Special tokens that some servers leave in a text, and ends of marks that were not opened. */
const ENDS =
  /<\|start\|>\s*assistant|<[|｜][\w▁ \/-]{1,40}[|｜]>|<end_of_turn>|<\/s>|<bot_end>|<\/(?:minimax:|seed:)?(?:tool_calls?|function_calls?)>|✿(?:RESULT|RETURN)✿:?/g;
/** The head of a message in channels that is for the person. */
const SAID = /(?:<\|start\|>[^<]{0,200})?<\|channel\|>\s*(?:final|commentary)[^<]{0,80}<\|message\|>/g;
/** What is thought, to its end; the end of the text ends it, too. */
const THOUGHTS: readonly (readonly [open: string, close: RegExp])[] = [
  ["<((?:seed:)?think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)>", /<\/[\w:]+>/g],
  ["\\[THINK\\]", /\[\/THINK\]/g],
  ["◁think▷", /◁\/think▷/g],
  ["<\\|START_THINKING\\|>", /<\|END_THINKING\|>/g],
  ["<\\|channel\\|>\\s*analysis\\s*<\\|message\\|>", /<\|(?:end|start|channel|return)\|>/g],
];
const NEXT = new RegExp(
  [
    "(?<fence>^[ \\t]*(?:`{3,}|~{3,})[^`\\n]*$)",
    "(?<code>`{1,3}[^`\\n]+`{1,3})",
    `(?<thought>${THOUGHTS.map(([open]) => open).join("|")})`,
    `(?<mark>${MARK})`,
  ].join("|"),
  "gim",
);
/** How many marks that are none of a call are looked at. */
const MAX_MENTIONS = 200;
/** How broken JSON that is meant as a call begins. */
const CALL_HEAD =
  /^\[?\s*\{\s*["']name["']\s*:\s*["'][\w.:\/-]+["']\s*,\s*["'](?:arguments|parameters)["']\s*:/;
/** Where calls without marks may begin behind a text. */
const BARE_LINE = /^(?:\[?\{\s*["']|\[?[A-Za-z_][\w.-]*\()/gm;

/**
 * Finds the calls that a model wrote in a text: between marks anywhere outside of thoughts, code and fences; without marks
 * where the text, or its last lines, are nothing else; and in fences where the text is nothing else.
 *
 * @param isTool Whether a name is that of a tool: forms that look like other texts are calls of tools alone
 * @returns `null` for a text that holds none
 */
export function findCalls(content: string, isTool: (name: string) => boolean): WrittenCalls | null {
  const scanned = scan(content);
  if (scanned.found) return scanned.found;
  const said = withoutEnds(scanned.said).trim();
  return findBare(said, isTool) ?? findFenced(said, isTool);
}

/** How broken JSON of a call begins, or whole JSON of one. */
export function isCallHead(text: string): boolean {
  return CALL_HEAD.test(text.trimStart());
}

/** Reads a text from its beginning to its end: `said` is all but thoughts and calls. */
function scan(content: string): { found: WrittenCalls | null; said: string } {
  const said: string[] = [];
  const texts: string[] = [];
  const found = { calls: [] as WrittenCall[], broken: false, before: "", said: 0 };
  let at = 0;
  let mentions = 0;
  NEXT.lastIndex = 0;
  for (let next = NEXT.exec(content); next; next = NEXT.exec(content)) {
    const { index, groups: { fence, thought, mark } = {} } = next;
    if (index < at) continue;
    let end = index + next[0].length;
    if (fence !== undefined) end = endOfFence(content, end, fence.trim());
    if (thought !== undefined) {
      said.push(content.slice(at, index));
      at = end = endOfThought(content, end, thought);
    } else if (mark !== undefined) {
      const read = readMarked(content, index);
      const isMeant = read && (read.calls !== null || isOwnLine(content, index, at));
      if (isMeant) {
        if (texts.length === 0) found.before = [...said, content.slice(at, index)].join("");
        else said.push(content.slice(at, index));
        if (texts.length === 0) said.length = 0;
        texts.push(content.slice(index, read.end));
        found.calls.push(...read.calls ?? []);
        found.broken ||= read.calls === null;
        at = end = read.end;
        if (found.broken) break;
      } else if (read && ++mentions > MAX_MENTIONS) break;
      else end = index + 1;
    }
    NEXT.lastIndex = Math.max(end, index + 1);
  }
  said.push(content.slice(at));
  if (texts.length === 0) return { found: null, said: said.join("") };
  const { calls, broken, before } = found;
  const behind = withoutEnds(said.join("")).replace(/[\s;,]+/g, " ").trim();
  const text = texts.join("\n");
  const clean = withoutEnds(before);
  return { found: { calls, broken, marked: true, fenced: false, before: clean, behind, text }, said: "" };
}

/** Whether nothing but blanks stands before a place, on its line or behind what was read. */
function isOwnLine(text: string, at: number, read: number): boolean {
  const gap = text.slice(read, at);
  return gap.slice(gap.lastIndexOf("\n") + 1).trim() === "";
}

function endOfFence(text: string, from: number, open: string): number {
  const [signs = "```"] = /^(?:`{3,}|~{3,})/.exec(open) ?? [];
  const close = new RegExp(`^[ \\t]*${signs}${signs[0]}*[ \\t]*$`, "gm");
  close.lastIndex = Math.min(from + 1, text.length);
  const found = close.exec(text);
  return found ? found.index + found[0].length : text.length;
}

function endOfThought(text: string, from: number, open: string): number {
  const [, close] = THOUGHTS.find(([mark]) => new RegExp(`^${mark}$`, "i").test(open))!;
  close.lastIndex = from;
  const found = close.exec(text);
  if (!found) return text.length;
  // The head of the next message says whom it is for.
  return /^<\|(?:start|channel)/.test(found[0]) ? found.index : found.index + found[0].length;
}

function withoutEnds(text: string): string {
  return text.replace(SAID, "").replace(ENDS, "");
}

/** Calls without marks: the whole text, or its last lines. */
function findBare(text: string, isTool: (name: string) => boolean): WrittenCalls | null {
  const form = { marked: false, fenced: false, broken: false, before: "", behind: "" };
  const whole = readBare(text, isTool);
  if (whole) return { ...form, calls: whole, text };
  if (CALL_HEAD.test(text) && endOfBroken(text)) return { ...form, calls: [], broken: true, text };
  for (const { index } of text.matchAll(BARE_LINE)) {
    const rest = index === 0 ? null : readBare(text.slice(index), isTool);
    if (rest?.every(({ name }) => isTool(name))) {
      return { ...form, calls: rest, before: text.slice(0, index), text: text.slice(index) };
    }
    // One look is enough: what begins further down belongs to it.
    if (index > 0) return null;
  }
  return null;
}

/** Whether JSON that begins like a call cannot be read. */
function endOfBroken(text: string): boolean {
  const end = endOfJson(text, 0);
  return !isJsonText(end < 0 ? text : text.slice(0, end));
}

function readBare(text: string, isTool: (name: string) => boolean): WrittenCall[] | null {
  const json = /^[{[]/.test(text) ? readJsonText(text, { marked: false }) : null;
  if (json) return json;
  const read = readOfTools(text, isTool);
  return read && skipBlanks(text, read.end) === text.length ? read.calls : null;
}

/** Forms that look like other texts: code, a tag, or a name on the line before JSON. */
function readOfTools(text: string, isTool: (name: string) => boolean): ReadCalls | null {
  const tag = readToolTag(text, isTool);
  if (tag?.calls) return { calls: tag.calls, end: tag.end };
  const [head, name = ""] = /^([\w.:\/-]{1,200})\s*\n\s*(?=\{)/.exec(text) ?? [];
  if (head !== undefined && isTool(name)) {
    const end = endOfJson(text, head.length);
    return end < 0 ? null : { calls: [{ name, input: { text: text.slice(head.length, end) } }], end };
  }
  const code = /^\[?\s*[A-Za-z_][\w.-]*\s*\(|^call:/.test(text) ? readCodeCalls(text, 0) : null;
  return code?.calls.every(({ name }) => isTool(name)) ? code : null;
}

/** A text that is nothing but fences of calls, or ends with one behind a word that says what is to be done. */
function findFenced(text: string, isTool: (name: string) => boolean): WrittenCalls | null {
  const [fence] = /^(?:```|~~~)/m.exec(text) ?? [];
  const start = fence === undefined ? -1 : text.search(/^(?:```|~~~)/m);
  if (start < 0) return null;
  const found: WrittenCalls = {
    ...{ calls: [], marked: false, fenced: true, broken: false },
    ...{ before: text.slice(0, start), behind: "", text: text.slice(start) },
  };
  for (let at = start; at < text.length; at = skipBlanks(text, at)) {
    const line = /^[^\n]*/.exec(text.slice(at))![0];
    if (!/^(?:```|~~~)/.test(line)) return null;
    const end = endOfFence(text, at + line.length, line);
    const inner = text.slice(at, end).replace(/^[^\n]*\n?/, "").replace(/\s*(?:`{3,}|~{3,})\s*$/, "").trim();
    const scanned = scan(inner).found ?? findBare(inner, isTool);
    if (!scanned || scanned.before !== "" || scanned.behind !== "") return null;
    found.calls.push(...scanned.calls);
    found.marked ||= scanned.marked;
    found.broken ||= scanned.broken;
    at = end;
  }
  return found;
}
