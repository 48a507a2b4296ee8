import type { Message } from "../../schemas/agent/chat.ts";
import type { FunctionTool, ModelRequest } from "../../schemas/agent/model.ts";
import type { Quirks } from "./quirks/learn.ts";
import { toWireMessage, type WireMessage, type WirePart } from "./wire.ts";

/** What stands between a result and a message of the user where a server wants one of the assistant there. */
const BRIDGE = "I have seen the result.";

const UNSEEN = "[A picture that is not shown: this model sees no pictures. Do not guess what is on it.]";

/** Options of {@linkcode toWireMessages}. */
export interface WireOptions extends Pick<ModelRequest, "mustCall" | "form" | "inWords"> {
  quirks: Quirks;
  /** Messages in the provider's form, kept from earlier requests. */
  wired: WeakMap<Message, WireMessage>;
  /** The offered tools, for a server that takes none. */
  tools: readonly FunctionTool[];
}

/**
 * Makes the messages of a request as this server takes them.
 */
export function toWireMessages(
  messages: readonly Message[],
  { quirks, wired, tools, mustCall, form, inWords: isTold = false }: WireOptions,
): WireMessage[] {
  const made = messages.map((message) =>
    quirks.noExtra ? toWireMessage(message, { extra: "drop" }) : wireOnce(message, wired)
  );
  const seen = quirks.noImages ? made.map(withoutImages) : made;
  const written = quirks.noTools ? seen.map(inWords) : seen;
  const told = [
    ...(mustCall && tools.length > 0 && (quirks.noTools || quirks.noChoice || isTold) ? [MUST_CALL] : []),
    ...(form && (quirks.noForm || isTold) ? [formInWords(form)] : []),
    ...(quirks.noTools || isTold ? toolsInWords(tools) : []),
    ...written,
  ];
  const named = quirks.noSystem ? withoutSystem(told) : told;
  return quirks.strictOrder || quirks.noTools ? inOrder(named) : named;
}

/** A picture becomes a word that says that it is there. */
function withoutImages(message: WireMessage): WireMessage {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const texts = message.content.map((part) => part.type === "text" ? part.text : UNSEEN);
  return { role: "user", content: texts.join("\n\n") };
}

function wireOnce(message: Message, wired: WeakMap<Message, WireMessage>): WireMessage {
  const known = wired.get(message);
  if (known) return known;
  const made = toWireMessage(message, { extra: "send" });
  wired.set(message, made);
  return made;
}

/** Tells the tools in the words that most models were trained with. */
function toolsInWords(tools: readonly FunctionTool[]): WireMessage[] {
  if (tools.length === 0) return [];
  const shown = tools.map((tool) => JSON.stringify({ type: "function", function: tool })).join("\n");
  const content =
    `You can call these tools:\n<tools>\n${shown}\n</tools>\nTo call one, reply with nothing but ` +
    '<tool_call>{"name": "NAME", "arguments": {…}}</tool_call>, once for each call. The results follow in ' +
    "<tool_response>.";
  return [{ role: "system", content }];
}

const MUST_CALL: WireMessage = {
  role: "system",
  content: "Your next reply must be a call of one of the tools, and nothing else.",
};

function formInWords({ schema }: NonNullable<ModelRequest["form"]>): WireMessage {
  const content =
    "Your next reply must be one JSON object that fits this JSON Schema, without text or code " +
    `fences around it:\n${JSON.stringify(schema)}`;
  return { role: "system", content };
}

function inWords(message: WireMessage): WireMessage {
  if (message.role === "tool") {
    return { role: "user", content: `<tool_response>\n${message.content}\n</tool_response>` };
  }
  if (message.role !== "assistant" || !message.tool_calls) return message;
  const { tool_calls: calls, ...rest } = message;
  const written = calls.map(({ function: { name, arguments: input } }) =>
    `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${input}}\n</tool_call>`
  );
  return { ...rest, content: [...rest.content ? [rest.content] : [], ...written].join("\n") };
}

/** The system's words begin the first message of the user. */
function withoutSystem(messages: readonly WireMessage[]): WireMessage[] {
  const text = messages.flatMap((message) => message.role === "system" ? [message.content] : []).join("\n\n");
  const rest = messages.filter(({ role }) => role !== "system");
  const first: WireMessage = { role: "user", content: text };
  const [next, ...others] = rest;
  if (text === "") return rest;
  return next?.role === "user" ? [joined(first, next), ...others] : [first, ...rest];
}

/** Users and assistants speak in turns, and a result is answered by the assistant. */
function inOrder(messages: readonly WireMessage[]): WireMessage[] {
  const ordered: WireMessage[] = [];
  for (const message of messages) {
    const before = ordered.at(-1);
    if (message.role === "user" && before?.role === "user") {
      ordered[ordered.length - 1] = joined(before, message);
      continue;
    }
    if (message.role === "system" && before?.role === "system") {
      ordered[ordered.length - 1] = { role: "system", content: `${before.content}\n\n${message.content}` };
      continue;
    }
    if (message.role === "user" && before?.role === "tool") {
      ordered.push({ role: "assistant", content: BRIDGE });
    }
    ordered.push(message);
  }
  return ordered;
}

type UserMessage = WireMessage & { role: "user" };

function joined(first: UserMessage, next: UserMessage): UserMessage {
  if (typeof first.content === "string" && typeof next.content === "string") {
    return { role: "user", content: `${first.content}\n\n${next.content}` };
  }
  return { role: "user", content: [...partsOf(first), ...partsOf(next)] };
}

function partsOf({ content }: UserMessage): WirePart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
