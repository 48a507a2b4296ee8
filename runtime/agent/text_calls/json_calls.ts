import { isObject } from "../../../schemas/json/shape.ts";
import { endOfJson } from "../conversation/mend_json.ts";
import { unwrapJson } from "../conversation/unwrap_json.ts";
import { matchAt, type ReadCalls, skipBlanks, type WrittenCall } from "./written_call.ts";

/** Fields that name a tool, and those that hold its arguments, best first. */
const NAMES = ["name", "tool_name", "function_name", "recipient_name", "tool", "function", "action"];
const INPUTS = [
  "arguments",
  "parameters",
  "args",
  "input",
  "tool_input",
  "action_input",
  "tool_args",
  "kwargs",
];
/** Fields that may stand beside them. */
const OTHERS = ["type", "id", "tool_call_id"];
/** Fields that hold a list of calls, and what may stand beside it. */
const LISTS = ["tool_calls", "tool_uses"];
const BESIDE_LIST = ["thought", "thoughts", "role", "content"];

/** How calls in JSON are read. */
export interface JsonForm {
  /** Marks say that these are calls: a name alone is one, and one of an unusual form. */
  marked: boolean;
}

/** Signs that some models put between calls. */
const BETWEEN = /[\s;,]*/y;

/** Reads the calls in JSON that begins at a place, one value after the other. @returns `null` if there is none */
export function readJsonCalls(text: string, from: number, form: JsonForm): ReadCalls | null {
  const calls: WrittenCall[] = [];
  let end = from;
  for (let at = skipBlanks(text, from);;) {
    const close = endOfJson(text, at);
    const read = close < 0 ? null : callsIn(parse(text.slice(at, close)), form);
    if (read === null) break;
    calls.push(...read);
    end = close;
    at = close + matchAt(BETWEEN, text, close)![0].length;
  }
  return calls.length > 0 ? { calls, end } : null;
}

/** Reads a text that is nothing but calls in JSON, also with what can be mended. @returns `null` for another text */
export function readJsonText(text: string, form: JsonForm): WrittenCall[] | null {
  const read = readJsonCalls(text, 0, form);
  if (read && text.slice(read.end).trim() === "") return read.calls;
  return callsIn(parse(text), form);
}

/** Whether a text is JSON, also after what is mended. */
export function isJsonText(json: string): boolean {
  return parse(json) !== undefined;
}

/** The calls that a value of JSON holds: itself, a list, or what servers wrap them in. */
function callsIn(value: unknown, form: JsonForm): WrittenCall[] | null {
  if (Array.isArray(value)) {
    const lists = value.map((one) => callsIn(one, form));
    return value.length > 0 && lists.every((list) => list?.length === 1)
      ? lists.flatMap((list) => list!)
      : null;
  }
  if (!isObject(value)) return null;
  const list = LISTS.find((field) => Array.isArray(value[field]));
  if (list !== undefined) {
    const isAlone = Object.keys(value).every((field) => field === list || BESIDE_LIST.includes(field));
    return isAlone ? callsIn(value[list], form) : null;
  }
  const { function: inner, type, id, ...others } = value;
  const isWrapped = isObject(inner) && Object.keys(others).length === 0 &&
    (type === undefined || type === "function") && (id === undefined || typeof id === "string");
  const call = toCall(isWrapped ? inner : value, form);
  return call && [call];
}

function toCall(value: Record<string, unknown>, { marked }: JsonForm): WrittenCall | null {
  const named = NAMES.find((field) => typeof value[field] === "string" && value[field] !== "");
  const [only, ...more] = Object.entries(value);
  if (named === undefined) {
    // The name of the tool is the only field, as Apertus writes it.
    const isNamed = marked && only !== undefined && more.length === 0 && isObject(only[1]);
    return isNamed ? { name: only[0], input: { value: only[1] as Record<string, unknown> } } : null;
  }
  const holders = INPUTS.filter((field) => field in value);
  const given = holders.length === 0 ? undefined : value[holders[0]!];
  const name = value[named] as string;
  if (!marked && !isBare(value, { named, holders, given })) return null;
  if (given === undefined || isObject(given)) return { name, input: { value: given ?? {} } };
  return { name, input: { text: typeof given === "string" ? given : JSON.stringify(given) } };
}

/** JSON without marks is a call only if it has the form of one and nothing else. */
function isBare(
  value: Record<string, unknown>,
  { named, holders, given }: { named: string; holders: readonly string[]; given: unknown },
): boolean {
  const isInput = isObject(given) || (typeof given === "string" && isObject(parse(given)));
  return isInput && holders.length === 1 &&
    Object.keys(value).every((field) => field === named || field === holders[0] || OTHERS.includes(field));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const mended = unwrapJson(text);
    return mended === null ? undefined : JSON.parse(mended.text);
  }
}
