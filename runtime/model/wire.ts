import type { Message, Part, ToolCall } from "../../schemas/agent/chat.ts";
import { isObject } from "../../schemas/json/shape.ts";

/** A part of a message in a request of chat completions. */
export type WirePart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

/** A tool call in a request of chat completions. */
export interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A message in a request of chat completions. */
export type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | WirePart[] }
  | { role: "assistant"; content: string | null; tool_calls?: WireCall[]; [extra: string]: unknown }
  | { role: "tool"; tool_call_id: string; content: string };

/** Longest name of a tool that providers take. */
const MAX_NAME = 64;

/** Makes the provider's form of a message. `extra: "drop"` leaves out fields that this provider does not take back. */
export function toWireMessage(message: Message, options: { extra: "send" | "drop" }): WireMessage {
  if (message.role === "user") return { role: "user", content: toWireContent(message.content) };
  if (message.role !== "assistant") return { ...message, content: message.content.toWellFormed() };
  const { tool_calls: callExtras, ...extra } = options.extra === "send" ? message.extra ?? {} : {};
  const content = message.content.toWellFormed();
  if (message.tool_calls.length === 0) return { ...extra, role: "assistant", content };
  const extras: readonly unknown[] = Array.isArray(callExtras) ? callExtras : [];
  const tool_calls = message.tool_calls.map((call, at) => toWireCall(call, extras[at]));
  return { ...extra, role: "assistant", content: content === "" ? null : content, tool_calls };
}

/** Plain text where there is nothing else: not every server takes a list of parts. */
function toWireContent(parts: readonly Part[]): string | WirePart[] {
  const wired = parts.map(toWirePart);
  if (wired.some(({ type }) => type === "image_url")) return wired;
  return wired.map((part) => part.type === "text" ? part.text : "").join("\n\n");
}

function toWirePart(part: Part): WirePart {
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  if (part.data === undefined) return { type: "text", text: `[Picture ${part.path}]` };
  return { type: "image_url", image_url: { url: `data:${part.mime_type};base64,${part.data}` } };
}

/** Providers refuse a conversation with invalid names or arguments, so this repairs them. */
function toWireCall({ id, name, arguments: text }: ToolCall, extra: unknown): WireCall {
  const wireName = name.replace(/[^\w-]/g, "_").slice(0, MAX_NAME) || "unknown";
  return {
    ...(isObject(extra) && extra),
    id,
    type: "function",
    function: { name: wireName, arguments: isJsonObject(text) ? text : quoteArguments(text) },
  };
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function quoteArguments(text: string): string {
  return text.trim() === "" ? "{}" : JSON.stringify({ invalid_arguments: text.toWellFormed() });
}
