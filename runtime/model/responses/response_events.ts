import { isObject } from "../../../schemas/json/shape.ts";
import { ITEMS_FIELD } from "./to_responses.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Why a response is not whole, and how chat completions say so. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  max_output_tokens: "length",
  content_filter: "content_filter",
};

/** Turns the events of the Responses API, or one whole response, into chunks of chat completions. */
export class ResponseEvents {
  /** Parts of the reply that are whole, by their place. */
  readonly #items = new Map<number, Fields>();
  /** Places of parts of which text came. */
  readonly #spoken = new Set<unknown>();
  #calls = 0;

  /** Returns the chunk that says the same as an event. */
  toChunk(event: unknown): Fields {
    if (!isObject(event)) return {};
    switch (event.type) {
      case "response.output_text.delta":
        return this.#text(event, "content");
      case "response.refusal.delta":
        return this.#text(event, "refusal");
      case "response.output_item.done":
        return isObject(event.item) ? chunkOf(this.#add(event.item, event.output_index)) : {};
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return isObject(event.response) ? this.#end(event.response) : {};
      default:
        return event.object === "response" ? this.#end(event) : {};
    }
  }

  #text({ delta, output_index }: Fields, field: string): Fields {
    this.#spoken.add(output_index);
    return chunkOf({ [field]: delta });
  }

  /** Takes a part, and returns what was not known of it. */
  #add(item: Fields, place: unknown): Record<string, unknown> {
    const at = typeof place === "number" ? place : this.#items.size;
    if (this.#items.has(at)) return {};
    this.#items.set(at, item);
    if (item.type === "function_call") {
      const { call_id: id, name, arguments: text } = item;
      return {
        tool_calls: [{ index: this.#calls++, id, type: "function", function: { name, arguments: text } }],
      };
    }
    return item.type === "message" && !this.#spoken.has(place) ? wordsOf(item) : {};
  }

  #end(response: Fields): Fields {
    const { status, error, usage, output, incomplete_details: details } = response;
    if (status === "failed" || isObject(error)) {
      return { choices: [{ index: 0, delta: {}, finish_reason: "error", error }] };
    }
    const delta: Record<string, unknown> = {};
    for (const [at, item] of (Array.isArray(output) ? output : []).entries()) {
      if (isObject(item)) join(delta, this.#add(item, at));
    }
    const order = [...this.#items].toSorted(([a], [b]) => a - b).flatMap(([, item]) => keptOf(item));
    if (order.some(({ type }) => type === "reasoning")) delta[ITEMS_FIELD] = order;
    const reason = isObject(details) ? String(details.reason) : "";
    const finish = INCOMPLETE[reason] ?? (this.#calls > 0 ? "tool_calls" : "stop");
    return { choices: [{ index: 0, delta, finish_reason: finish }], usage: usageOf(usage) };
  }
}

function chunkOf(delta: Fields): Fields {
  return { choices: [{ index: 0, delta }] };
}

function join(into: Record<string, unknown>, more: Fields): void {
  for (const [name, value] of Object.entries(more)) {
    const before = into[name];
    into[name] = Array.isArray(before) && Array.isArray(value)
      ? [...before, ...value]
      : typeof before === "string"
      ? before + String(value)
      : value;
  }
}

/** The words of a message of which no text came before. */
function wordsOf({ content }: Fields): Record<string, unknown> {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = (field: string) =>
    parts.map((part) => part[field]).filter((text) => typeof text === "string").join("");
  const [text, refusal] = [texts("text"), texts("refusal")];
  return { ...(text !== "" && { content: text }), ...(refusal !== "" && { refusal }) };
}

/** What must be known of a part to send it back; its words and calls have places of their own. */
function keptOf({ type, id, summary, content, encrypted_content, phase }: Fields): Fields[] {
  if (type === "message") return [{ type, ...(typeof phase === "string" && { phase }) }];
  if (type === "function_call") return [{ type }];
  // The server keeps nothing, so reasoning without its content cannot be sent back.
  if (type !== "reasoning" || typeof encrypted_content !== "string") return [];
  const hasContent = Array.isArray(content) && content.length > 0;
  return [{ type, id, summary: summary ?? [], ...(hasContent && { content }), encrypted_content }];
}

function usageOf(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens, output_tokens, input_tokens_details, cost } = usage;
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    prompt_tokens_details: input_tokens_details,
    cost,
  };
}
