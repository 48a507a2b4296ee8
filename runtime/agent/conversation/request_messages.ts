import type { Message, Part } from "../../../schemas/agent/chat.ts";
import { ToolError } from "../../../schemas/error.ts";
import { PICTURE_TOKENS } from "./estimate_tokens.ts";

/** Options of {@linkcode requestMessages}. */
export interface RequestOptions {
  /** Whether the model sees pictures. */
  images: boolean;
  /** Reads a picture as base64. Rejects with a `ToolError` if it is gone. */
  readPicture(path: string): Promise<string>;
}

/**
 * Makes the messages of a request: fresh pictures with their bytes, all others by their name. So no picture
 * is paid for again in every round.
 */
export async function requestMessages(
  messages: readonly Message[],
  options: RequestOptions,
): Promise<Message[]> {
  const fresh = new Set(options.images ? freshMessages(messages) : []);
  const requested = messages.map((message): Message | Promise<Message> => {
    if (message.role !== "user" || !message.content.some(isImage)) return message;
    const send = fresh.has(message);
    return Promise.all(message.content.map((part) => requestPart(part, { ...options, send })))
      .then((content) => ({ ...message, content }));
  });
  return await Promise.all(requested);
}

/** Estimates what a request takes beyond the names of its pictures. */
export function estimatePictures(messages: readonly Message[], { images }: { images: boolean }): number {
  if (!images) return 0;
  return freshMessages(messages).reduce((sum, message) => {
    const pictures = message.role === "user" ? message.content.filter(isImage).length : 0;
    return sum + pictures * PICTURE_TOKENS;
  }, 0);
}

/** The part that the model has not answered yet, and the person's newest request. */
function freshMessages(messages: readonly Message[]): Message[] {
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const task = messages.findLast((message) => message.role === "user" && message.kind === "task");
  const unseen = messages.slice(answered + 1);
  return task === undefined || unseen.includes(task) ? unseen : [task, ...unseen];
}

function isImage(part: Part): part is Part & { type: "image" } {
  return part.type === "image";
}

async function requestPart(part: Part, options: RequestOptions & { send: boolean }): Promise<Part> {
  const { images, send, readPicture } = options;
  if (!isImage(part)) return part;
  const named = `${part.path} (${part.mime_type}, ${part.bytes} bytes)`;
  if (!images) {
    return text(`[Picture ${named}: not shown, this model sees no pictures. Do not guess what is on it.]`);
  }
  if (!send) return text(`[Picture ${named} was shown earlier. To see it again, read it with a tool.]`);
  try {
    return { ...part, data: await readPicture(part.path) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return text(`[Picture ${named} cannot be shown: ${error.message}]`);
  }
}

function text(content: string): Part {
  return { type: "text", text: content };
}
