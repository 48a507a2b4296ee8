import type { ToolCall } from "../../schemas/agent/chat.ts";
import type { ModelReply, Usage } from "../../schemas/agent/model.ts";
import { isJson } from "../../schemas/json/json_text.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { ThoughtSplitter } from "./quirks/thought_splitter.ts";

const FINISHES: Readonly<Record<string, ModelReply["finish"]>> = {
  stop: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  content_filter: "content_filter",
};
/** How servers say that a reply broke off on their side. */
const FAILURES = new Set(["error", "network_error", "insufficient_system_resource"]);
/** Fields of a reply that have a place of their own. */
const KNOWN = new Set(["role", "content", "tool_calls", "function_call", "refusal"]);
const KNOWN_OF_CALL = new Set(["index", "id", "type", "function"]);

/** A tool call as far as it has come. */
interface OpenCall extends ToolCall {
  extra: Record<string, unknown>;
}

/** What a chunk says about a call. */
interface Piece {
  id: string;
  name: string;
  /** Of the arguments. */
  text: string;
}

/** Puts a reply together from the chunks of a stream, or from one whole answer. Works with every server. */
export class ReplyAssembler {
  readonly #calls: OpenCall[] = [];
  /** The call that each index stands for; the last one is under `undefined`. */
  readonly #byIndex = new Map<unknown, OpenCall>();
  readonly #extra: Record<string, unknown> = {};
  readonly #splitter: ThoughtSplitter;
  readonly #refusals: string[] = [];
  #usage: Usage | null = null;
  #finish: string | undefined;
  #failure: unknown = null;
  #hasText = false;
  #tookBack = false;

  /** @param options.noThoughtMark The server is known to leave out the mark before thoughts */
  constructor({ noThoughtMark = false }: { noThoughtMark?: boolean } = {}) {
    this.#splitter = new ThoughtSplitter({ holds: noThoughtMark });
  }

  /** The server left out the mark before the thoughts of this reply. */
  get leftOutMark(): boolean {
    return this.#splitter.leftOut;
  }

  /** Says once that the text that was returned so far was thought. */
  takesBack(): boolean {
    const { leftOut } = this.#splitter;
    if (!leftOut || this.#tookBack) return false;
    return this.#tookBack = true;
  }

  /** What the server says of a reply that broke off on its side, `null` if none did. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The server has said how the reply ended. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** Takes a chunk; returns the text in it, without thoughts. */
  add(chunk: unknown): string {
    if (!isObject(chunk)) return "";
    this.#usage = readUsage(chunk.usage) ?? this.#usage;
    const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : [];
    const choice = choices.find(({ index }) => index === 0 || typeof index !== "number");
    if (!choice) return "";
    const { finish_reason: finish, error } = choice;
    if (isSaid(error) || FAILURES.has(String(finish))) this.#failure = isSaid(error) ? error : {};
    else if (typeof finish === "string" && finish !== "") this.#finish = finish;
    const delta = isObject(choice.delta) ? choice.delta : this.#isEmpty() ? choice.message : undefined;
    return isObject(delta) ? this.#addDelta(delta) : "";
  }

  /** Says that nothing more comes; returns the rest of the text. */
  end(): string {
    return this.#splitter.end();
  }

  /** Returns what came. Thoughts in the text are where other servers put them. */
  reply(): ModelReply {
    this.end();
    const { text, thought } = this.#splitter;
    const calls = once(this.#calls.filter((call) => call.name + call.arguments !== ""));
    const tool_calls = calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
    const extra: Record<string, unknown> = { ...this.#extra };
    if (thought.trim() !== "") extra.reasoning_content = joined(extra.reasoning_content, thought.trim());
    if (calls.some((call) => Object.keys(call.extra).length > 0)) {
      extra.tool_calls = calls.map((call) => call.extra);
    }
    return {
      content: text || this.#refusals.join(""),
      tool_calls,
      finish: finishOf(this.#finish, tool_calls),
      usage: this.#usage,
      ...(Object.keys(extra).length > 0 && { extra }),
    };
  }

  #isEmpty(): boolean {
    return !this.#hasText && this.#calls.length === 0;
  }

  #addDelta(delta: Record<string, unknown>): string {
    const text = textOf(delta.content);
    if (text !== "") this.#hasText = true;
    if (typeof delta.refusal === "string") this.#refusals.push(delta.refusal);
    if (Array.isArray(delta.tool_calls)) {
      for (const call of delta.tool_calls) if (isObject(call)) this.#addCall(call);
    } else if (isObject(delta.function_call)) this.#addCall({ index: 0, function: delta.function_call });
    for (const [name, value] of Object.entries(delta)) {
      if (!KNOWN.has(name)) setField(this.#extra, name, joined(this.#extra[name], value));
    }
    return text === "" ? "" : this.#splitter.add(text);
  }

  #addCall(delta: Record<string, unknown>): void {
    const { name, arguments: said } = isObject(delta.function) ? delta.function : { name: "", arguments: "" };
    const piece: Piece = {
      id: typeof delta.id === "string" ? delta.id : "",
      name: typeof name === "string" ? name : "",
      text: typeof said === "string" ? said : isObject(said) ? JSON.stringify(said) : "",
    };
    const call = this.#callOf(typeof delta.index === "number" ? delta.index : undefined, piece);
    call.id ||= piece.id;
    // Servers send a name once, in every piece, or in pieces before the arguments.
    if (piece.name !== call.name && call.arguments === "") call.name += piece.name;
    call.arguments += piece.text;
    for (const [field, value] of Object.entries(delta)) {
      if (!KNOWN_OF_CALL.has(field)) setField(call.extra, field, joined(call.extra[field], value));
    }
  }

  /** Finds the call that a piece belongs to. Some servers give no index, or the same one for all calls. */
  #callOf(index: number | undefined, piece: Piece): OpenCall {
    const { id } = piece;
    const sameId = index === undefined && id !== "" ? this.#calls.find((call) => call.id === id) : undefined;
    const open = sameId ?? this.#byIndex.get(index);
    const isOther = open !== undefined && id !== "" && open.id !== "" && id !== open.id;
    // What comes again in the place of a call is that call, where it says nothing else.
    const again = index !== undefined && open && id === "" ? open.id : "";
    const call = open && !isOther && !beginsAnew(open, piece)
      ? open
      : { id: again, name: "", arguments: "", extra: {} };
    if (call !== open) this.#calls.push(call);
    this.#byIndex.set(index, call).set(undefined, call);
    return call;
  }
}

/** Some servers send a call again under another index: it has the same id, name and arguments. */
function once(calls: readonly OpenCall[]): OpenCall[] {
  const known = new Set<string>();
  return calls.filter(({ id, name, arguments: text }) => {
    const call = JSON.stringify([id, name, isJson(text) ? JSON.stringify(JSON.parse(text)) : text]);
    if (id !== "" && known.has(call)) return false;
    known.add(call);
    return true;
  });
}

/** A name after complete arguments belongs to another call, even if the id is the same. */
function beginsAnew(open: OpenCall, { name, text }: Piece): boolean {
  return name !== "" && text !== "" && open.arguments.trimEnd().endsWith("}") && isJson(open.arguments);
}

function isSaid(error: unknown): boolean {
  return (typeof error === "string" && error !== "") || (isObject(error) && Object.keys(error).length > 0);
}

function finishOf(finish: string | undefined, calls: readonly ToolCall[]): ModelReply["finish"] {
  const known = finish === undefined ? "stop" : FINISHES[finish] ?? "other";
  return known === "stop" && calls.length > 0 ? "tool_calls" : known;
}

/** Content is a text or a list of parts, of which some are texts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => isObject(part) && typeof part.text === "string" ? part.text : "").join("");
}

/** Joins the pieces of an unknown field: texts and lists grow, other values are replaced. */
function joined(before: unknown, piece: unknown): unknown {
  if (piece === null || piece === undefined) return before;
  if (typeof before === "string" && typeof piece === "string") return before + piece;
  if (Array.isArray(before) && Array.isArray(piece)) return [...before, ...piece];
  return piece;
}

function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined || value === "") return;
  // The server chose this name: objects may treat it specially.
  Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true });
}

function readUsage(usage: unknown): Usage | null {
  if (!isObject(usage)) return null;
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = usage;
  if (!isCount(prompt_tokens) && !isCount(completion_tokens)) return null;
  const cached = isObject(details) ? details.cached_tokens : usage.prompt_cache_hit_tokens;
  return {
    input_tokens: count(prompt_tokens),
    cached_tokens: count(cached),
    output_tokens: count(completion_tokens),
    ...(isCount(usage.cost) && { cost: usage.cost }),
  };
}

function count(value: unknown): number {
  return isCount(value) ? value : 0;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
