import { isObject } from "../../../schemas/json/shape.ts";

/** The field of a reply that keeps in which order its parts came, and its reasoning. */
export const ITEMS_FIELD = "response_items";

type Fields = Readonly<Record<string, unknown>>;

/** What a request asks to be given so that nothing must be kept by the server. */
const ENCRYPTED = "reasoning.encrypted_content";

/**
 * Makes a request to the Responses API of one to chat completions. The server keeps nothing: the reasoning of earlier
 * replies is sent back, encrypted.
 *
 * @param options.reasoning Asks for reasoning and sends it back; not every model takes that
 */
export function toResponses(body: Fields, { reasoning }: { reasoning: boolean }): Record<string, unknown> {
  const {
    messages,
    tools,
    max_tokens,
    max_completion_tokens,
    stream_options: _usage,
    reasoning_effort,
    response_format,
    verbosity,
    ...rest
  } = body;
  const list = Array.isArray(messages) ? messages.filter(isObject) : [];
  const start = list.findIndex(({ role }) => role !== "system");
  const system = list.slice(0, start < 0 ? list.length : start);
  const limit = max_completion_tokens ?? max_tokens;
  const format = { ...formatOf(response_format), ...(verbosity !== undefined && { verbosity }) };
  return {
    ...(system.length > 0 && { instructions: system.map(({ content }) => content).join("\n\n") }),
    input: list.slice(system.length).flatMap((message) => toItems(message, reasoning)),
    ...(Array.isArray(tools) && { tools: tools.filter(isObject).map(toTool) }),
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
    ...(Object.keys(format).length > 0 && { text: format }),
    store: false,
    ...(reasoning && { include: [ENCRYPTED] }),
    ...rest,
  };
}

/** Returns messages of chat completions without what only the Responses API takes back. */
export function withoutItems<Message extends object>(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (!(ITEMS_FIELD in message)) return message;
    const { [ITEMS_FIELD]: _, ...rest } = message;
    return rest as Message;
  });
}

/** Unless it is told otherwise, the API takes only schemas of a strict kind. */
function toTool({ function: described }: Fields): Fields {
  return { type: "function", strict: false, ...(isObject(described) && described) };
}

function formatOf(format: unknown): Fields {
  if (!isObject(format)) return {};
  const { type, json_schema } = format;
  return { format: { type, ...(isObject(json_schema) && json_schema) } };
}

function toItems(message: Fields, reasoning: boolean): Fields[] {
  if (message.role === "assistant") return toOutput(message, reasoning);
  if (message.role !== "tool") return [{ role: message.role, content: toContent(message.content) }];
  return [{ type: "function_call_output", call_id: message.tool_call_id, output: message.content }];
}

function toContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter(isObject).map((part) =>
    part.type === "image_url" && isObject(part.image_url)
      ? { type: "input_image", image_url: part.image_url.url, detail: "auto" }
      : { type: "input_text", text: part.text }
  );
}

/** The parts of an earlier reply, in the order in which they came. */
function toOutput(message: Fields, reasoning: boolean): Fields[] {
  const kept: unknown = message[ITEMS_FIELD];
  const order = Array.isArray(kept) ? kept.filter(isObject) : [];
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject).map(toCall) : [];
  const { content } = message;
  let said = typeof content === "string" && content !== "" ? { role: "assistant", content } : null;
  const items: Fields[] = [];
  let thought: Fields[] = [];
  const add = (item: Fields | null | undefined) => {
    if (!item) return;
    // Reasoning is taken back only with what it led to.
    items.push(...thought, item);
    thought = [];
  };
  for (const item of order) {
    if (item.type === "reasoning" && reasoning) thought.push(item);
    if (item.type === "function_call") add(calls.shift());
    if (item.type !== "message") continue;
    add(said && { ...said, ...(typeof item.phase === "string" && { phase: item.phase }) });
    said = null;
  }
  add(said);
  for (const call of calls) add(call);
  return items;
}

function toCall({ id, function: called }: Fields): Fields {
  return { type: "function_call", call_id: id, ...(isObject(called) && called) };
}
