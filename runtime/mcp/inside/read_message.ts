import { isDeeper } from "../../text/json_depth.ts";

/** Longest message of a client, in bytes. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Deepest nesting of a message: no tool takes a tenth of it, and readers of JSON walk it by recursion. */
const MAX_DEPTH = 200;

/** Why a message cannot be read, for its sender. */
export class UnreadableMessage extends Error {}

/**
 * Reads a message.
 *
 * @throws {UnreadableMessage} If it is no JSON, or is nested too deeply
 */
export function readClientMessage(text: string): unknown {
  if (isDeeper(text, MAX_DEPTH)) {
    throw new UnreadableMessage(`Parse error: nested more than ${MAX_DEPTH} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableMessage("Parse error: the message is not JSON");
  }
}
