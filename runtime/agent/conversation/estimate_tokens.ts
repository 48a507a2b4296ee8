import type { Message, Part } from "../../../schemas/agent/chat.ts";
import type { FunctionTool } from "../../../schemas/agent/model.ts";

/** Tokens of one picture of any size: providers count differently. */
export const PICTURE_TOKENS = 1_600;

/** What a message takes beside its text. */
const MESSAGE_TOKENS = 4;
/** What a tool call takes beside its name and arguments. */
const CALL_TOKENS = 8;
/** What the list of tools takes beside the tools. */
const TOOL_TOKENS = 8;

/** Letters of a common word in one token. */
const WORD = 5;
/** How exactly a text is cut, in characters. */
const STEP = 16;

/**
 * Estimates how many tokens a text takes, without any tokenizer: words by their length, digits by threes, other marks
 * one by one, and letters of scripts without spaces one by one. Takes time linear in the text.
 */
export function estimateText(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const end = endOfRun(text, at, text.length);
    tokens += tokensOfRun(text.charCodeAt(at), end - at);
    at = end;
  }
  return Math.ceil(tokens);
}

/** Returns how much of a text, from its beginning, takes at most so many tokens; never half a character. */
export function lengthOfTokens(text: string, maxTokens: number): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    // In short steps, so that a giant word is cut as well.
    const end = endOfRun(text, at, Math.min(text.length, at + STEP));
    tokens += tokensOfRun(text.charCodeAt(at), end - at);
    if (tokens > maxTokens && at > 0) return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
    at = end;
  }
  return text.length;
}

/** Estimates a message; `freshPictures` says that its pictures are sent, not only named. */
export function estimateMessage(message: Message, options: { freshPictures: boolean }): number {
  if (message.role === "user") {
    return message.content.reduce((sum, part) => sum + estimatePart(part, options), MESSAGE_TOKENS);
  }
  const text = MESSAGE_TOKENS + estimateText(message.content);
  if (message.role !== "assistant") return text;
  const extra = message.extra === undefined ? 0 : estimateText(JSON.stringify(message.extra));
  return message.tool_calls.reduce(
    (sum, call) => sum + CALL_TOKENS + estimateText(call.name) + estimateText(call.arguments),
    text + extra,
  );
}

/** Estimates what the list of tools adds to each request. */
export function estimateTools(tools: readonly FunctionTool[]): number {
  return tools.reduce((sum, { name, description, parameters }) => {
    return sum + TOOL_TOKENS + estimateText(name) + estimateText(description) +
      estimateText(JSON.stringify(parameters));
  }, 0);
}

function estimatePart(part: Part, { freshPictures }: { freshPictures: boolean }): number {
  if (part.type === "text") return estimateText(part.text);
  return freshPictures ? PICTURE_TOKENS : MESSAGE_TOKENS + estimateText(part.path);
}

/** Returns the end, up to a limit, of a run that counts together: letters, digits, blanks, or one mark. */
function endOfRun(text: string, start: number, limit: number): number {
  const first = text.charCodeAt(start);
  const kind = kindOf(first);
  const goesOn = (code: number) => kind === "mark" ? code === first : kindOf(code) === kind;
  let at = start + 1;
  while (at < limit && goesOn(text.charCodeAt(at))) at++;
  return at;
}

type Kind = "letter" | "digit" | "space" | "mark" | "foreign" | "wide";

function kindOf(code: number): Kind {
  if (code > 0x2e7f) return "wide";
  if (code > 0x7f) return "foreign";
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return "letter";
  if (code >= 0x30 && code <= 0x39) return "digit";
  return code <= 0x20 ? "space" : "mark";
}

function tokensOfRun(first: number, length: number): number {
  switch (kindOf(first)) {
    case "letter":
      return Math.max(1, length / WORD);
    case "digit":
      return Math.ceil(length / 3);
    // One space belongs to the word after it.
    case "space":
      return first === 0x20 && length === 1 ? 0 : Math.max(0.5, length / 8);
    case "mark":
      return Math.max(0.7, length / 4);
    case "foreign":
      return length / 2;
    case "wide":
      return length;
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
