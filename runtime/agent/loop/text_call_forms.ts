import { isObject } from "../../../schemas/json/shape.ts";
import { endOfJson, jsonValues, outOfFence } from "../conversation/mend_json.ts";
import { unwrapJson } from "../conversation/unwrap_json.ts";

/** A call that a model wrote as text. */
export interface WrittenCall {
  name: string;
  /** As an object of JSON, as its text, or one text for each parameter. */
  input: { value: Record<string, unknown> } | { text: string } | {
    parameters: [name: string, text: string][];
  };
}

/** What a text is made of if it is made of calls only. */
export interface WrittenCalls {
  calls: WrittenCall[];
  /** Some stand between marks that mean a call and nothing else. */
  marked: boolean;
  /** Why the rest cannot be read, `null` if all was read. */
  broken: string | null;
}

/** Marks that end what a model says; some servers leave them in the text. */
const END = /(?:<\|(?:im_end|eom_id|eot_id|end|endoftext|end_of_turn|return|call)\|>|<end_of_turn>|<\/s>)$/;
/** Marks between which JSON or a named function stands. */
const WRAPPER = /^<(tool_calls?|function_calls?|\|tool_calls?\||tools?)>/;
const NAMED = /^<(function|invoke)(?:=|\s+name=)["']?([^"'>]+?)["']?\s*>/;
const PARAMETER = /<parameter(?:=|\s+name=)["']?([^"'>]+?)["']?\s*>/g;
const PARAMETER_END = "</parameter>";
const ARGUMENT = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;
/** How deep marks and fences may stand within each other. */
const MAX_DEPTH = 3;
/** How broken JSON that is meant as a call begins. */
const CALL_HEAD =
  /^\[?\s*\{\s*["']name["']\s*:\s*["'][\w.:\/-]+["']\s*,\s*["'](?:arguments|parameters)["']\s*:/;
const NO_JSON = "it is not valid JSON";

/** Reads a text that is made of calls only; `null` for any other text. */
export function readWrittenCalls(content: string): WrittenCalls | null {
  return readCalls(content, 0);
}

function readCalls(content: string, depth: number): WrittenCalls | null {
  if (depth > MAX_DEPTH) return null;
  const found: WrittenCalls = { calls: [], marked: false, broken: null };
  let rest = content.trim();
  while (END.test(rest)) rest = rest.replace(END, "").trimEnd();
  if (!/^(?:[{[`]|<)/.test(rest)) return null;
  if (rest.startsWith("<|python_tag|>")) {
    found.marked = true;
    rest = rest.slice("<|python_tag|>".length).trim();
    if (!/^[{[]/.test(rest)) return null;
  }
  while (rest !== "" && found.broken === null) {
    const next = readOne(rest, found, depth);
    if (next === null) return null;
    // Some models leave marks unopened or put signs between calls.
    rest = next.replace(/^(?:\s|;|,|<\/tool_call>)+/, "");
  }
  return found.calls.length > 0 || found.broken !== null ? found : null;
}

/** Reads the call or calls at the beginning of a text. @returns What is behind them, `null` if there are none */
function readOne(text: string, found: WrittenCalls, depth: number): string | null {
  if (text.startsWith("```")) return readFence(text, found, depth);
  if (text.startsWith("[TOOL_CALLS]")) return readMistral(text.slice("[TOOL_CALLS]".length).trim(), found);
  if (NAMED.test(text)) return readNamed(text, found);
  const [open, tag] = WRAPPER.exec(text) ?? [];
  if (open !== undefined && tag !== undefined) {
    {
      return readWrapped(text.slice(open.length), { close: `</${tag}>`, found, depth });
    }
  }
  return readBare(text, found);
}

function readFence(text: string, found: WrittenCalls, depth: number): string | null {
  const close = /\n[ \t]*```(?=\s|$)/.exec(text);
  const end = close === null ? text.length : close.index + close[0].length;
  const fence = text.slice(0, end);
  const closed = close === null ? `${fence}\n\`\`\`` : fence;
  const inner = readCalls(outOfFence(closed), depth + 1);
  if (inner === null) return null;
  add(found, inner);
  return text.slice(end);
}

function add(found: WrittenCalls, { calls, marked, broken }: WrittenCalls): void {
  found.calls.push(...calls);
  found.marked ||= marked;
  found.broken ??= broken;
}

/** `[TOOL_CALLS]` before a list, or before a name and its arguments. */
function readMistral(text: string, found: WrittenCalls): string | null {
  found.marked = true;
  const [head, name] = /^([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?=\{)/.exec(text) ?? [];
  const start = head?.length ?? 0;
  const end = endOfJson(text, start);
  if (end < 0) return breakOff(found);
  const json = text.slice(start, end);
  if (name !== undefined) found.calls.push({ name, input: { text: json } });
  else if (!addJson(json, found)) return breakOff(found);
  return text.slice(end);
}

/** `<function=Name>` with its parameters, or with JSON. */
function readNamed(text: string, found: WrittenCalls): string {
  found.marked = true;
  const [open = "", tag, name = ""] = NAMED.exec(text) ?? [];
  const close = `</${tag}>`;
  const json = endOfJson(text, open.length + /^\s*/.exec(text.slice(open.length))![0].length);
  const end = json >= 0 ? text.indexOf(close, json) : text.indexOf(close, open.length);
  const body = text.slice(open.length, end < 0 ? undefined : end).trim();
  const parameters = readParameterTags(body);
  const input = body.startsWith("{") || (parameters.length === 0 && body !== "")
    ? { text: body }
    : { parameters };
  found.calls.push({ name: name.trim(), input });
  return end < 0 ? "" : text.slice(end + close.length);
}

/** A parameter ends where the next one begins: on a line of its own, or behind the mark of its end. */
function readParameterTags(body: string): [string, string][] {
  const opens = [...body.matchAll(PARAMETER)].filter(({ index }) =>
    index === 0 || body[index - 1] === "\n" || body.slice(0, index).trimEnd().endsWith(PARAMETER_END)
  );
  return opens.map(([open, name = ""], at) => {
    const value = body.slice(opens[at]!.index + open.length, opens[at + 1]?.index);
    const trimmed = value.trimEnd();
    const inner = trimmed.endsWith(PARAMETER_END) ? trimmed.slice(0, -PARAMETER_END.length) : value;
    return [name.trim(), withoutBreaks(inner)];
  });
}

interface Wrapped {
  /** The mark of the end. */
  close: string;
  found: WrittenCalls;
  depth: number;
}

/** What stands between marks: JSON, named functions, or a name with keys and values. */
function readWrapped(text: string, { close, found, depth }: Wrapped): string {
  found.marked = true;
  const blanks = /^\s*/.exec(text)![0].length;
  const json = endOfJson(text, blanks);
  const end = text.indexOf(close, Math.max(json, 0));
  const body = text.slice(0, end < 0 ? undefined : end).trim();
  const rest = end < 0 ? "" : text.slice(end + close.length);
  if (NAMED.test(body) || WRAPPER.test(body)) {
    const inner = readCalls(body, depth + 1);
    if (inner) add(found, inner);
    else breakOff(found);
    return rest;
  }
  const values = [...body.matchAll(ARGUMENT)];
  const [name = ""] = /^[\w.:\/-]+(?=\s*(?:<arg_key>|$))/.exec(body) ?? [];
  if (name !== "") {
    const parameters = values.map(([, key = "", value = ""]) => [key.trim(), value] as [string, string]);
    found.calls.push({ name, input: { parameters } });
  } else if (!addJson(body, found)) breakOff(found);
  return rest;
}

function breakOff(found: WrittenCalls): "" {
  found.broken = NO_JSON;
  return "";
}

/** JSON without marks is a call only if it has the form of one and nothing else. */
function readBare(text: string, found: WrittenCalls): string | null {
  if (!/^[{[]/.test(text)) return null;
  const end = endOfJson(text, 0);
  const json = end < 0 ? text : text.slice(0, end);
  if (!found.marked && !isCallText(json)) {
    return CALL_HEAD.test(text) && parse(json) === undefined ? breakOff(found) : null;
  }
  if (!addJson(json, found)) return found.marked ? breakOff(found) : null;
  return end < 0 ? "" : text.slice(end);
}

function isCallText(json: string): boolean {
  const value = parse(json);
  const calls = callsIn(value);
  return calls !== null && calls.every(isBareCall);
}

const FIELDS = new Set(["name", "arguments", "parameters", "type", "id"]);

function isBareCall(value: Record<string, unknown>): boolean {
  const { arguments: input = value.parameters } = value;
  const isInput = isObject(input) || (typeof input === "string" && isObject(parse(input)));
  return isInput && typeof value.name === "string" &&
    Object.keys(value).every((field) => FIELDS.has(field)) &&
    !("arguments" in value && "parameters" in value);
}

/** Adds the calls in a text of JSON. @returns Whether it holds calls and nothing else */
function addJson(json: string, found: WrittenCalls): boolean {
  const values = [parse(json)];
  const several = values[0] === undefined ? jsonValues(json) ?? [] : [];
  const lists = several.length > 1 ? several.map((text) => callsIn(parse(text))) : values.map(callsIn);
  if (lists.includes(null)) return false;
  const calls = lists.flatMap((list) => list!);
  for (const { name, arguments: input, parameters = {} } of calls) {
    if (typeof name !== "string" || name === "") return false;
    const given = input ?? parameters;
    found.calls.push({
      name,
      input: isObject(given)
        ? { value: given }
        : { text: typeof given === "string" ? given : JSON.stringify(given) },
    });
  }
  return true;
}

/** The calls that a value of JSON holds: itself, a list, or what servers wrap them in. */
function callsIn(value: unknown): Record<string, unknown>[] | null {
  if (Array.isArray(value)) {
    const lists = value.map(callsIn);
    return value.length > 0 && lists.every((list) => list?.length === 1)
      ? lists.flatMap((list) => list!)
      : null;
  }
  if (!isObject(value)) return null;
  if (Array.isArray(value.tool_calls) && Object.keys(value).length === 1) return callsIn(value.tool_calls);
  const { function: inner, type, id, ...others } = value;
  const isWrapped = isObject(inner) && Object.keys(others).length === 0 &&
    (type === undefined || type === "function") && (id === undefined || typeof id === "string");
  if (isWrapped) return [inner];
  return typeof value.name === "string" ? [value] : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const mended = unwrapJson(text);
    return mended === null ? undefined : JSON.parse(mended.text);
  }
}

/** The line breaks beside its marks do not belong to a value. */
function withoutBreaks(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
