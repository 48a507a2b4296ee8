import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { ChatMessage, ChatPart } from "../api/chat_schemas.ts";
import { lastRunIn } from "./agent_id.ts";

/** A message that the server's schema let through. */
export type Message = z.infer<typeof ChatMessage>;

/** A conversation as a run takes it. */
export interface ToldConversation {
  /** What the person said last. */
  prompt: string;
  /** What was said before that, as one text; `""` for nothing. */
  before: string;
  /** The pictures, those that came last if there are too many. */
  images: { name: string; data_url: string }[];
  /** The run that its texts name last. */
  run: string | null;
}

/** Most pictures of a run. */
const MAX_IMAGES = 12;
/** What streams add to the text of an answer, and no model needs to read again. */
const PLANTED = /^Agent run_[0-9a-f_-]{1,200} started\n\n/;
const BLOCK = { start: "<details>\n<summary>Phase: ", end: "</details>" };

/**
 * Reads the conversation of a client that remembers it by itself: the person's last words are the prompt, with all that
 * the client put behind the model's last words.
 *
 * @throws {ToolError} `invalid_input` if nobody asks for anything
 */
export function readMessages(messages: readonly Message[]): ToldConversation {
  const images: ToldConversation["images"] = [];
  const texts = messages.map((message) => ({ role: message.role, raw: textOf(message, images) }));
  const last = texts.findLastIndex(({ role }) => role === "user");
  const from = texts.findLastIndex(({ role }, at) => at < last && isOfAgent(role)) + 1;
  const isAsked = ({ role }: { role: string }, at: number) => role === "user" && at >= from && at <= last;
  const prompt = texts.filter(isAsked).map(({ raw }) => raw.trim()).filter((text) => text !== "").join(
    "\n\n",
  );
  if (prompt === "") {
    throw new ToolError(
      "invalid_input",
      "No message of the user has a text: say in messages what the agent shall do",
    );
  }
  const before = texts.filter((message, at) => !isAsked(message, at))
    .map(({ role, raw }) => ({ role, text: (isOfAgent(role) ? withoutAdded(raw) : raw).trim() }))
    .filter(({ text }) => text !== "");
  return {
    prompt,
    before: before.map(({ role, text }) => `${role.toUpperCase()}:\n${text}`).join("\n\n"),
    images: images.slice(-MAX_IMAGES),
    run: lastRunIn(texts.map(({ raw }) => raw).join("\n")),
  };
}

function isOfAgent(role: string): boolean {
  return ["assistant", "tool", "function"].includes(role);
}

function withoutAdded(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(BLOCK.start, from);
    const end = start < 0 ? -1 : text.indexOf(BLOCK.end, start);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + BLOCK.end.length;
  }
  return [...kept, text.slice(from)].join("").replace(PLANTED, "");
}

/** The text of a message; each picture is a mark in it, and is added to the list. */
function textOf({ content, tool_calls }: Message, images: ToldConversation["images"]): string {
  const parts = typeof content === "string"
    ? [content]
    : (content ?? []).map((part) => partText(part, images));
  // Calls of the client's own tools.
  const calls = Array.isArray(tool_calls) ? [JSON.stringify(tool_calls)] : [];
  return [...parts, ...calls].join("\n");
}

function partText(part: z.infer<typeof ChatPart>, images: ToldConversation["images"]): string {
  if (part.type !== "image_url") return part.text ?? "";
  const url = typeof part.image_url === "string" ? part.image_url : part.image_url.url;
  const data_url = url.replace(/^data:image\/jpg;/i, "data:image/jpeg;");
  const ending = /^data:image\/(\w+)/i.exec(data_url)?.[1]?.toLowerCase().replace("jpeg", "jpg") ?? "png";
  const name = `image_${String(images.length).padStart(3, "0")}.${ending}`;
  images.push({ name, data_url });
  return `[picture ${name}]`;
}
