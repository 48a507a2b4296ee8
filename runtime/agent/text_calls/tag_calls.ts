import { endOfJson } from "../conversation/mend_json.ts";
import { type MarkedCalls, matchAt, skipBlanks } from "./written_call.ts";

/** What may stand before the name of a tag: a name space, or a mark of DeepSeek. */
export const SPACE = "(?:[\\w-]{1,40}:|[|｜]DSML[|｜])?";
const NAMED = new RegExp(
  `<(${SPACE})(function|invoke|function_call|tool_call)(?:=|\\s+name\\s*=\\s*)["']?([^"'<>]{1,200}?)["']?\\s*>`,
  "y",
);
const PARAMETER = new RegExp(
  `<${SPACE}parameter(?:=|\\s+name\\s*=\\s*)["']?([^"'<>]{1,200}?)["']?(?:\\s+[\\w-]+="[^"<>]*")*\\s*>`,
  "g",
);
const PARAMETER_END = new RegExp(`</${SPACE}parameter>$`);
/** `<invoke><tool_name>Read</tool_name><parameters>…`. */
const OLD = /^<tool_name>([^<>]{1,200})<\/tool_name>\s*(?:<parameters>|$)/;
const CHILD = /<([A-Za-z_][\w.-]*)>/y;

/** Whether a tag that names a tool stands at a place. */
export function isNamedTag(text: string, at: number): boolean {
  return matchAt(NAMED, text, at) !== null;
}

/** Reads `<function=Name>` or `<invoke name="Name">` with its parameters, or with JSON. */
export function readNamedTag(text: string, at: number): MarkedCalls | null {
  const [open, space = "", tag = "", name = ""] = matchAt(NAMED, text, at) ?? [];
  if (open === undefined) return null;
  const close = `</${space}${tag}>`;
  const start = at + open.length;
  const json = endOfJson(text, skipBlanks(text, start));
  const end = text.indexOf(close, json < 0 ? start : json);
  const body = text.slice(start, end < 0 ? undefined : end).trim();
  const parameters = readParameters(body);
  const input = body.startsWith("{") || (parameters.length === 0 && body !== "")
    ? { text: body }
    : { parameters };
  const calls = [{ name: name.trim(), input }];
  return { calls, end: end < 0 ? text.length : end + close.length };
}

/** Reads the older form of a call: tags for the name and for each parameter. */
export function readOldTags(body: string): MarkedCalls["calls"] {
  const [head, name = ""] = OLD.exec(body) ?? [];
  if (head === undefined) return null;
  const inner = body.slice(head.length).replace(/<\/parameters>\s*$/, "");
  return [{ name: name.trim(), input: { parameters: readChildren(inner) ?? [] } }];
}

/** Reads a tag that has the name of a tool, with a tag for each parameter. */
export function readToolTag(text: string, isTool: (name: string) => boolean): MarkedCalls | null {
  const [open, name = ""] = matchAt(CHILD, text, 0) ?? [];
  if (open === undefined || !isTool(name)) return null;
  const close = `</${name}>`;
  const end = text.lastIndexOf(close);
  const parameters = end < 0 ? null : readChildren(text.slice(open.length, end));
  return parameters && { calls: [{ name, input: { parameters } }], end: end + close.length };
}

/** A parameter ends where the next one begins: on a line of its own, or behind the mark of its end. */
function readParameters(body: string): [string, string][] {
  const opens = [...body.matchAll(PARAMETER)].filter(({ index }) =>
    index === 0 || body[index - 1] === "\n" || PARAMETER_END.test(body.slice(0, index).trimEnd().slice(-80))
  );
  if (opens.length === 0) return readChildren(body) ?? [];
  return opens.map(([open, name = ""], at) => {
    const value = body.slice(opens[at]!.index + open.length, opens[at + 1]?.index);
    const trimmed = value.trimEnd();
    const inner = PARAMETER_END.test(trimmed.slice(-80)) ? trimmed.replace(PARAMETER_END, "") : value;
    return [name.trim(), withoutBreaks(inner)];
  });
}

/** `<path>a</path><text>b</text>` and nothing else; `null` for another text. */
function readChildren(body: string): [string, string][] | null {
  const found: [string, string][] = [];
  for (let at = skipBlanks(body, 0); at < body.length; at = skipBlanks(body, at)) {
    const [open, name = ""] = matchAt(CHILD, body, at) ?? [];
    const close = `</${name}>`;
    const end = open === undefined ? -1 : body.indexOf(close, at);
    if (open === undefined || end < 0) return null;
    found.push([name, withoutBreaks(body.slice(at + open.length, end))]);
    at = end + close.length;
  }
  return found;
}

/** The line breaks beside its marks do not belong to a value. */
function withoutBreaks(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
