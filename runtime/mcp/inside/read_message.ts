import { isObject } from "../../../schemas/json/shape.ts";
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
    return withoutNulls(JSON.parse(text));
  } catch {
    throw new UnreadableMessage("Parse error: the message is not JSON");
  }
}

/** Fields that clients fill with `null` where they mean that there is none. */
const EMPTY = ["arguments", "_meta", "cursor"];

function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !("params" in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params)) return message;
  const kept = Object.entries(params).filter(([name, value]) => value !== null || !EMPTY.includes(name));
  return { ...rest, params: Object.fromEntries(kept) };
}
