import type { ToolCall } from "../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import { propertiesOf, typesOf } from "../../../schemas/json/shape.ts";
import { offeredName } from "./offered_name.ts";
import { type OutputForm, readOutput } from "./output_form.ts";
import type { AgentTool } from "./parts.ts";
import { readWrittenCalls, type WrittenCall } from "./text_call_forms.ts";

/** What a reply is that looks like calls: calls to run, or what is wrong with them. */
export type TextCalls = { calls: ToolCall[] } | { problem: string };

/** Options of {@linkcode readTextCalls}. */
export interface TextCallOptions {
  /** The offered tools, by the names that the model calls. */
  tools: ReadonlyMap<string, AgentTool>;
  /** The form of the answer that was asked for. @default any */
  output?: OutputForm | undefined;
}

/**
 * Finds calls that a model wrote as text instead of making them. The line is drawn here:
 *
 * - A reply is calls if **all** of it is calls, in one of the forms in which models write them: between marks
 *   (`<tool_call>`, `<function=Name>`, `<|python_tag|>`, `[TOOL_CALLS]` and the like), or JSON with a name and an object of
 *   arguments and no other field, alone, in a list or in a code fence. With a word before or behind it the reply speaks
 *   about a call, and is an answer.
 * - JSON without marks is an answer if the user asked for JSON and it fits, and if no tool is offered at all.
 * - Calls of tools that are offered are run. If a name fits no tool, or the JSON is broken, nothing is run and the model
 *   is told: such a reply is no answer either. Where the user asked for JSON, the check of the answer tells it.
 *
 * @returns `null` for an answer
 */
export async function readTextCalls(content: string, options: TextCallOptions): Promise<TextCalls | null> {
  const { tools, output } = options;
  const written = readWrittenCalls(content);
  if (written === null) return null;
  const { calls, marked, broken } = written;
  if (!marked && (tools.size === 0 || (output && (await readOutput(content, output)).ok))) return null;
  const names = calls.map(({ name }) => offeredName(name, tools));
  const unknown = calls.find((_, at) => names[at] === null);
  if (!marked && output && (broken !== null || unknown)) return null;
  if (broken !== null) return { problem: broken };
  if (unknown) return { problem: `there is no tool ${JSON.stringify(unknown.name)}` };
  return { calls: calls.map((call, at) => toCall(call, tools.get(names[at]!)!)) };
}

/** Whether a reply may be calls in place of a text: it made none, and was not cut off. */
export function mayBeTextCalls({ tool_calls, finish, content }: ModelReply): boolean {
  return tool_calls.length === 0 && finish !== "length" && finish !== "content_filter" &&
    content.trim() !== "";
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
