import { endOfJson } from "../conversation/mend_json.ts";
import { readCodeCalls } from "./code_calls.ts";
import { readJsonCalls, readJsonText } from "./json_calls.ts";
import { isNamedTag, readNamedTag, readOldTags, SPACE } from "./tag_calls.ts";
import { type MarkedCalls, matchAt, type ReadCalls, skipBlanks, type WrittenCall } from "./written_call.ts";

/** How deep marks may stand within each other. */
const MAX_DEPTH = 4;
/** The names of the marks around calls, with those of their ends where these are not the same with a slash. */
const WRAPPERS: Readonly<Record<string, string | null>> = {
  tool_call: null,
  tool_calls: null,
  toolcall: null,
  tool: null,
  tools: null,
  function_call: null,
  function_calls: null,
  invoke: null,
  longcat_tool_call: null,
  tool_call_start: "tool_call_end",
  tool_call_begin: "tool_call_end",
  tool_calls_begin: "tool_calls_end",
  tool_calls_section_begin: "tool_calls_section_end",
  start_action: "end_action",
  action_start: "action_end",
  start_function_call: "end_function_call",
  functioncallbegin: "functioncallend",
  tools_prefix: "tools_suffix",
  python_start: "python_end",
  python_tag: "eom_id",
};
/** `<tool_call>`, `<minimax:tool_call>`, `<|tool_call_start|>`, `<｜tool▁calls▁begin｜>`, `<|tool_call>` and the like. */
const WRAPPER = new RegExp(`<[|｜]?(${SPACE})([A-Za-z][\\w▁ ]{2,40}?)[|｜]?>`, "y");
/** What parts the name of a tool from its arguments. */
const PART = /<[|｜]?(?:tool[▁_ ]sep|tool_call_argument_begin)[|｜]?>/;
/** What says that a plugin or a function follows, before its name. */
const KIND = /^(?:<\|plugin\|>|(?:function|tool)(?=<))\s*/;
const NAME = /^[\w.:\/-]{1,200}/;
const FENCE = /^```\w*\s*/;
const MISTRAL = /\[TOOL_CALLS\]\s*/y;
/** A name before the arguments: with `[ARGS]`, as a step of ReAct, or as other models mark it. */
const LEADS: readonly RegExp[] = [
  /([\w.:\/-]{1,200})(?:\[CALL_ID\]\w+)?\[ARGS\]\s*(?=\{)/y,
  />>>([\w.:\/-]{1,200})\s*\n\s*(?=\{)/y,
  /Action:[ \t]*`?([\w.:\/-]{1,200})`?[ \t]*\n\s*Action Input:\s*(?=\{)/iy,
  /✿FUNCTION✿:[ \t]*([\w.:\/-]{1,200})\s*✿ARGS✿:\s*(?=\{)/y,
  /<\|from\|>assistant\s*<\|recipient\|>\s*([\w.:\/-]{1,200})\s*<\|content\|>\s*(?=\{)/y,
  /(?:assistant)?(?:analysis|commentary)\s+to=([\w.:\/-]{1,200})\s*(?:code|json)?\s*(?:<\|message\|>)?\s*(?=\{)/y,
];
/** A list behind a word. */
const FUNCTOOLS = /functools\s*(?=\[)/y;
/** The head of a message in channels, with whom it is for. */
const CHANNEL =
  /(?:<\|start\|>[^<]{0,200})?(?:<\|channel\|>[^<]{0,200})?(?:<\|constrain\|>[^<]{0,40})?<\|message\|>/y;
const CHANNEL_END = /<\|(?:call|end|return|start)\|>/g;
const NEXUS = /Call:\s*(?=[A-Za-z_][\w.]*\()/y;

/** Where marks of calls may begin; what begins there is to be looked at. */
export const MARK =
  /<[|｜]?(?:[\w-]{1,40}:|[|｜]?DSML[|｜])?[A-Za-z][\w▁ ]{2,40}(?=[|｜>=\s])|\[TOOL_CALLS\]|(?<![\w.:\/-])[\w.:\/-]{1,200}(?:\[CALL_ID\]\w+)?\[ARGS\]|>>>[\w.:\/-]|Action:[ \t]*`?\w|✿FUNCTION✿|(?:assistant)?(?:analysis|commentary)\s+to=|functools\s*\[|Call:\s*[A-Za-z_][\w.]*\(/
    .source;

/** Reads the calls whose mark stands at a place; `null` if there is no such mark. */
export function readMarked(text: string, at: number, depth = 0): MarkedCalls | null {
  if (depth > MAX_DEPTH) return null;
  return readNamedTag(text, at) ?? readChannel(text, at) ?? readLead(text, at) ?? readMistral(text, at) ??
    readFunctools(text, at) ?? readNexus(text, at) ?? readWrapped(text, at, depth);
}

/** A message to a tool, in the form of channels. */
function readChannel(text: string, at: number): MarkedCalls | null {
  const [head] = matchAt(CHANNEL, text, at) ?? [];
  const [, name] = /\bto=([\w.:\/-]{1,200})/.exec(head ?? "") ?? [];
  if (head === undefined || name === undefined || name === "user") return null;
  const start = at + head.length;
  const json = endOfJson(text, skipBlanks(text, start));
  const end = json >= 0 ? json : matchAt(CHANNEL_END, text, start)?.index ?? text.length;
  return { calls: [{ name, input: { text: text.slice(start, end).trim() } }], end };
}

function readLead(text: string, at: number): MarkedCalls | null {
  for (const lead of LEADS) {
    const [head, name = ""] = matchAt(lead, text, at) ?? [];
    if (head === undefined) continue;
    const end = endOfJson(text, at + head.length);
    if (end < 0) return { calls: null, end: text.length };
    return { calls: [{ name, input: { text: text.slice(at + head.length, end) } }], end };
  }
  return null;
}

/** `[TOOL_CALLS]` before a list, or before a name and its arguments. */
function readMistral(text: string, at: number): MarkedCalls | null {
  const [head] = matchAt(MISTRAL, text, at) ?? [];
  if (head === undefined) return null;
  const start = at + head.length;
  const [lead = "", name] =
    /^([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?=\{)/.exec(text.slice(start, start + 400)) ??
      [];
  const end = endOfJson(text, start + lead.length);
  if (end < 0) return { calls: null, end: text.length };
  const json = text.slice(start + lead.length, end);
  if (name !== undefined) return { calls: [{ name, input: { text: json } }], end };
  return { calls: readJsonText(json, { marked: true }), end };
}

function readFunctools(text: string, at: number): MarkedCalls | null {
  const [head] = matchAt(FUNCTOOLS, text, at) ?? [];
  if (head === undefined) return null;
  const end = endOfJson(text, at + head.length);
  if (end < 0) return { calls: null, end: text.length };
  return { calls: readJsonText(text.slice(at + head.length, end), { marked: true }), end };
}

/** NexusRaven ends its calls with a mark; without it the word is an ordinary one. */
function readNexus(text: string, at: number): MarkedCalls | null {
  const [head] = matchAt(NEXUS, text, at) ?? [];
  const read = head === undefined ? null : readCodeCalls(text, at + head.length);
  const [end] = read && /^\s*<bot_end>/.exec(text.slice(read.end, read.end + 40)) || [];
  return read && end !== undefined ? { calls: read.calls, end: read.end + end.length } : null;
}

/** What stands between marks: JSON, code, named functions, or a name with its arguments. */
function readWrapped(text: string, at: number, depth: number): MarkedCalls | null {
  const [open, , said = ""] = matchAt(WRAPPER, text, at) ?? [];
  const name = said.replace(/[▁ ]/g, "_").toLowerCase();
  if (open === undefined || !Object.hasOwn(WRAPPERS, name)) return null;
  const start = skipBlanks(text, at + open.length);
  const value = readValues(text, start);
  const close = closeOf(WRAPPERS[name] ?? `/?${name}`);
  close.lastIndex = value?.end ?? start;
  const closed = close.exec(text);
  // Some models leave out the end.
  if (closed === null && value) return value;
  const end = closed ? closed.index + closed[0].length : text.length;
  const isWhole = value && text.slice(value.end, closed?.index).trim() === "";
  if (isWhole) return { calls: value.calls, end };
  return { calls: readBody(text.slice(start, closed?.index).trim(), depth), end };
}

/** Expressions for the ends of wrappers, by their names. */
const closes = new Map<string, RegExp>();

function closeOf(name: string): RegExp {
  const known = closes.get(name) ??
    new RegExp(`<(?:/|[|｜]/?)?${SPACE}${name.replaceAll("_", "[_▁ ]")}[|｜]?>`, "gi");
  closes.set(name, known);
  return known;
}

/** JSON or code that begins at a place. */
function readValues(text: string, at: number): ReadCalls | null {
  return readJsonCalls(text, at, { marked: true }) ?? readCodeCalls(text, at);
}

/** The calls in what stands between marks; `null` if it cannot be read. */
function readBody(body: string, depth: number): WrittenCall[] | null {
  const [kind = ""] = KIND.exec(body) ?? [];
  const inner = body.slice(kind.length);
  return readJsonText(inner, { marked: true }) ?? readParted(inner, depth) ?? readNested(inner, depth) ??
    readOldTags(inner) ?? readNameFirst(inner);
}

/** `Read<sep>{…}` or, behind the kind of a tool, `<sep>Read\n{…}`. */
function readParted(body: string, depth: number): WrittenCall[] | null {
  const part = PART.exec(body);
  if (part === null || (body.startsWith("<") && part.index > 0)) return null;
  const [before, behind] = [body.slice(0, part.index).trim(), body.slice(part.index + part[0].length).trim()];
  if (before === "" && !behind.startsWith("<")) return readNameFirst(behind);
  if (before === "") return readNested(behind, depth);
  return NAME.exec(before)?.[0] === before ? readNameFirst(`${before}\n${behind}`) : null;
}

/** Marks within marks. */
function readNested(body: string, depth: number): WrittenCall[] | null {
  const calls: WrittenCall[] = [];
  for (let at = 0; at < body.length; at = skipBlanks(body, at)) {
    const read = body[at] === "<" || isNamedTag(body, at) ? readMarked(body, at, depth + 1) : null;
    if (!read?.calls) return null;
    calls.push(...read.calls);
    at = read.end;
    // Some models open marks once and close them often.
    at += /^(?:\s|<\/tool_call>)*/.exec(body.slice(at))![0].length;
  }
  return calls.length > 0 ? calls : null;
}

/** A name, then keys and values, JSON, or nothing. */
function readNameFirst(body: string): WrittenCall[] | null {
  const [name] = NAME.exec(body) ?? [];
  if (name === undefined) return null;
  const rest = body.slice(name.length).replace(PART, "").trim();
  if (rest === "" || rest.startsWith("<arg_key>")) {
    const parameters = readKeys(rest);
    return parameters && [{ name, input: { parameters } }];
  }
  const fence = FENCE.exec(rest)?.[0] ?? "";
  const json = rest.slice(fence.length).replace(fence === "" ? /$/ : /\s*```$/, "");
  return endOfJson(json, 0) === json.length ? [{ name, input: { text: json } }] : null;
}

const KEY = ["<arg_key>", "</arg_key>"] as const;
const VALUE = ["<arg_value>", "</arg_value>"] as const;

function readKeys(text: string): [string, string][] | null {
  const found: [string, string][] = [];
  for (let at = 0; at < text.length;) {
    const key = between(text, at, KEY);
    const value = key && between(text, key.end, VALUE);
    if (!key || !value) return null;
    found.push([key.text.trim(), value.text]);
    at = skipBlanks(text, value.end);
  }
  return found;
}

function between(text: string, from: number, [open, close]: readonly [string, string]) {
  const start = skipBlanks(text, from);
  const end = text.startsWith(open, start) ? text.indexOf(close, start) : -1;
  return end < 0 ? null : { text: text.slice(start + open.length, end), end: end + close.length };
}
