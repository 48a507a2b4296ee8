import type { Message, Part } from "../../../schemas/agent/chat.ts";
import { estimateText, lengthOfTokens } from "./estimate_tokens.ts";

/**
 * Writes messages as a transcript, in pieces of at most so many estimated tokens. Nothing is left out: what is too long
 * for one piece goes on in the next.
 */
export function toPieces(messages: readonly Message[], maxTokens: number): string[] {
  const pieces: string[] = [];
  let rest = messages.map(renderMessage).join("\n\n");
  while (rest !== "") {
    const length = lengthOfTokens(rest, maxTokens);
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}

/** Cuts a piece in two of about the same size. */
export function halve(piece: string): [string, string] {
  const at = lengthOfTokens(piece, estimateText(piece) / 2);
  return [piece.slice(0, at), piece.slice(at)];
}

function renderMessage(message: Message): string {
  switch (message.role) {
    case "system":
      return `[system]\n${message.content}`;
    case "user":
      return `[${message.kind === "task" ? "request of the person" : message.kind}]\n${
        message.content.map(renderPart).join("\n")
      }`;
    case "assistant": {
      const calls = message.tool_calls.map(({ id, name, arguments: text }) => `[call ${id}] ${name} ${text}`);
      return ["[agent]", message.content, ...calls].filter((line) => line !== "").join("\n");
    }
    case "tool":
      return `[result of ${message.tool_call_id}]\n${message.content}`;
  }
}

function renderPart(part: Part): string {
  return part.type === "text" ? part.text : `[picture ${part.path}]`;
}
