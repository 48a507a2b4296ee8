import type { Message, ToolCall } from "../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import { propertiesOf, typesOf } from "../../../schemas/json/shape.ts";
import { findCalls, isCallHead, type WrittenCalls } from "../text_calls/find_calls.ts";
import { quotationOf } from "../text_calls/quoted.ts";
import type { WrittenCall } from "../text_calls/written_call.ts";
import { offeredName } from "./offered_name.ts";
import { type OutputForm, readOutput } from "./output_form.ts";
import type { AgentTool } from "./parts.ts";
import type { RunState } from "./run_state.ts";

/** What a reply is that looks like calls: calls to run, or what is wrong with them. */
export type TextCalls = { calls: ToolCall[] } | { problem: string };

/** What {@linkcode readTextCalls} must know of a run. */
export interface TextCallOptions {
  /** The offered tools, by the names that the model calls. */
  tools: ReadonlyMap<string, AgentTool>;
  /** The form of the answer that was asked for. @default any */
  output?: OutputForm | undefined;
  /** The model makes calls itself: it did in this session, or its provider is known for it. */
  makesCalls: boolean;
  /** What was said so far: a text that the model was shown may be a quotation. */
  messages: readonly Message[];
  /** It was shown pictures, which may have any text. */
  sawPictures: boolean;
}

/** How a sentence begins that says what the model is about to do. */
const INTENDS =
  /^(?:let me|let's|let us|i(?:'|’)?ll|i will|i(?:'|’)m|i am|i need|i want|now|first|next|then|okay|ok|sure|to \w+)\b/i;
/** Words of a sentence that speaks about calls. */
const SPEAKS_ABOUT =
  /\b(?:examples?|for instance|e\.g\.|such as|like this|looks? like|would|could|syntax|formats?|forms?|says|contains|reads|quot\w+|written|prints?)\b/i;
/** A line of code in Markdown, or of a quotation. */
const CODE_LINE = /(?:^|\n)(?: {4}| {0,3}\t| {0,3}>)[^\n]*$/;

/**
 * Finds calls that a model wrote as text instead of making them. A text is run only if it cannot be a quotation. The line
 * is drawn here:
 *
 * - Calls are what stands between marks in which models write them (`<tool_call>`, `<invoke name="Name">`, `[TOOL_CALLS]`,
 *   special tokens, channels and the like), or a whole text of JSON or code that calls offered tools.
 * - What the model was shown in a request or a result, blanks folded, is an answer; so is what stands in a code fence
 *   beside a sentence, what is thought, and JSON that the user asked for.
 * - Calls run that are the end of the text, behind nothing or a sentence of their own, while the model has made no call
 *   itself in this session and its provider is not known for calls.
 * - Everything else that looks like calls is no answer: nothing is run, and the model is told.
 *
 * @returns `null` for an answer
 */
export async function readTextCalls(content: string, options: TextCallOptions): Promise<TextCalls | null> {
  const { tools, output, messages } = options;
  const written = findCalls(content, (name) => offeredName(name, tools) !== null);
  if (written === null) return null;
  const { calls, marked, broken, fenced, before } = written;
  if (fenced && before.trim() !== "" && !isIntended(before)) return null;
  if (!marked && (tools.size === 0 || (output && (await readOutput(content, output)).ok))) return null;
  if (quotationOf(written.text, messages) === "same") return null;
  const names = calls.map(({ name }) => offeredName(name, tools));
  const unknown = calls.find((_, at) => names[at] === null);
  if (!marked && (broken || unknown) && (output || !(broken || isCallHead(written.text)))) return null;
  if (broken) return { problem: "it is not valid JSON" };
  if (unknown) return { problem: `there is no tool ${JSON.stringify(unknown.name)}` };
  const problem = mayBeQuoted(written, options);
  if (problem !== null) return { problem };
  return { calls: calls.map((call, at) => toCall(call, tools.get(names[at]!)!)) };
}

/** Returns what {@linkcode readTextCalls} must know. */
export function textCallOptions(
  { tools, conversation, parts: { output, profile } }: RunState,
  { told_tools: isTold }: Pick<ModelReply, "told_tools">,
): TextCallOptions {
  const { madeCalls, shown: messages } = conversation;
  const sawPictures = messages.some((message) =>
    message.role === "user" && message.content.some(({ type }) => type === "image")
  );
  // A server that takes no tools gets all calls as text.
  return {
    tools,
    output,
    makesCalls: !isTold && (madeCalls || profile.makes_calls === true),
    messages,
    sawPictures,
  };
}

/** Whether a reply may be calls in place of a text: it made none, and was not cut off. */
export function mayBeTextCalls({ tool_calls, finish, content }: ModelReply): boolean {
  return tool_calls.length === 0 && finish !== "length" && finish !== "content_filter" &&
    content.trim() !== "";
}

/** Says why a text may be a quotation, or an example; `null` if it is neither. */
function mayBeQuoted(written: WrittenCalls, options: TextCallOptions): string | null {
  const { calls, before, behind, fenced, marked, text } = written;
  if (fenced) return "it stands in a code fence";
  if (behind !== "") return "other text stands behind it";
  if (before.trim() !== "" && (!marked || speaksAbout(before))) {
    return "the text before it may speak about it";
  }
  if (options.makesCalls) return "it was not made as a call";
  if (options.sawPictures) return "it may be the text of a picture";
  const isShown = [text, ...calls.flatMap(inJson)].some((one) => quotationOf(one, options.messages) !== null);
  return isShown ? "it stands in what you were shown" : null;
}

/** The call in the form that most texts have it in: the model may have quoted it in another one. */
function inJson({ name, input }: WrittenCall): string[] {
  if ("parameters" in input) return [];
  const text = "text" in input ? input.text : JSON.stringify(input.value);
  return [`${name} arguments ${text}`, `${name} parameters ${text}`];
}

/** Whether a text may lead to an example: it ends within a line or with a colon, or its last sentence has such words. */
function speaksAbout(before: string): boolean {
  if (!/\n[ \t]*$/.test(before) || CODE_LINE.test(before) || /<[\w-]+>\s*$/.test(before)) return true;
  return SPEAKS_ABOUT.test(lastSentence(before)) || (/[:：]\s*$/.test(before) && !isIntended(before));
}

/** Whether the last sentence says what the model is about to do. */
function isIntended(before: string): boolean {
  const sentence = lastSentence(before);
  return INTENDS.test(sentence) && !SPEAKS_ABOUT.test(sentence);
}

function lastSentence(text: string): string {
  return text.trim().split("\n").at(-1)!.split(/(?<=[.!?])\s+/).at(-1)!.trim();
}

function toCall({ input }: WrittenCall, tool: AgentTool): ToolCall {
  const { name } = tool;
  if ("text" in input) return { id: "", name, arguments: input.text };
  const value = "value" in input ? input.value : readParameters(input.parameters, tool);
  return { id: "", name, arguments: JSON.stringify(value) };
}

/** A text stays one where the tool takes a text; anything else is read as JSON if it is some. */
function readParameters(
  parameters: readonly (readonly [string, string])[],
  { parameters: schema }: AgentTool,
): Record<string, unknown> {
  const fields = propertiesOf(schema);
  return Object.fromEntries(parameters.map(([name, text]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const types = field ? typesOf(field, schema) : new Set(["string"]);
    return [name, types.has("string") ? text : parseOr(text)];
  }));
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
