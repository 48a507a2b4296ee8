import type { Message } from "../../schemas/agent/chat.ts";
import type { Quirks } from "./quirks/learn.ts";
import { toWireMessage, type WireMessage, type WirePart } from "./wire.ts";

/** What stands between a result and a message of the user where a server wants one of the assistant there. */
const BRIDGE = "I have seen the result.";

/**
 * Makes the messages of a request as this server takes them.
 *
 * @param wired Messages in the provider's form, kept from earlier requests
 */
export function toWireMessages(
  messages: readonly Message[],
  { quirks, wired }: { quirks: Quirks; wired: WeakMap<Message, WireMessage> },
): WireMessage[] {
  const made = messages.map((message) =>
    quirks.noExtra ? toWireMessage(message, { extra: "drop" }) : wireOnce(message, wired)
  );
  const named = quirks.noSystem ? withoutSystem(made) : made;
  return quirks.strictOrder ? inOrder(named) : named;
}

function wireOnce(message: Message, wired: WeakMap<Message, WireMessage>): WireMessage {
  const known = wired.get(message);
  if (known) return known;
  const made = toWireMessage(message, { extra: "send" });
  wired.set(message, made);
  return made;
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
