import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";

import { isObject } from "../../../../../schemas/json/shape.ts";
import { isDeeper } from "../../../../text/json_depth.ts";
import { mendResult } from "./mend_result.ts";

/** Deepest nesting of a message. */
const MAX_DEPTH = 200;
/** Most messages in one list. */
const MAX_LIST = 1_000;
/** The code of an error that says itself nothing else. */
const INTERNAL = -32603;
/** How much of a text is searched for the id of what it answers, at both ends, in characters. */
const ID_CHARS = 2_000;
const ID = /"id"\s*:\s*(?:"(\d{1,15})"|(\d{1,15})(?![\d.eE]))/;

/** The field of an error's data by which our own are known. */
export const UNREADABLE = "bulkhead_unreadable";

/** Knows which requests wait, so that an answer that cannot be read ends its request at once. */
export class WaitingAnswers {
  readonly #waiting = new Map<number, { id: string | number; method: string }>();

  /** Takes note of a message to the server. */
  sent(message: JSONRPCMessage): void {
    if ("method" in message && "id" in message) {
      this.#waiting.set(Number(message.id), { id: message.id, method: message.method });
    }
  }

  /** No answer to a request is waited for any more. */
  ended(message: JSONRPCMessage): void {
    if ("id" in message) this.#waiting.delete(Number(message.id));
  }

  /**
   * Reads what a server sent. What can be understood is mended; of the rest, what carries the id of a request that waits is
   * an error in its place.
   *
   * @returns The messages; none of a text that is none
   */
  read(text: string): JSONRPCMessage[] {
    if (text.trim() === "") return [];
    if (isDeeper(text, MAX_DEPTH)) return this.#instead(text, "it is nested too deep");
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#instead(text, "it is not valid JSON");
    }
    const messages = Array.isArray(value) ? value.slice(0, MAX_LIST) : [value];
    const read = messages.flatMap((message) => this.#mended(message) ?? []);
    for (const message of read) if (!("method" in message)) this.ended(message);
    return read;
  }

  /** Errors for requests that wait, in the place of their answers. */
  failed(ids: readonly (string | number)[], why: string): JSONRPCMessage[] {
    return ids.flatMap((id) => {
      const waiting = this.#waiting.get(Number(id));
      if (waiting === undefined) return [];
      this.#waiting.delete(Number(id));
      return [unreadable(waiting.id, why)];
    });
  }

  /** Some servers print other things, so only what looks like a message counts. */
  #instead(text: string, why: string): JSONRPCMessage[] {
    const [start, end] = [text.trimStart().slice(0, ID_CHARS), text.slice(-ID_CHARS)];
    const found = /^[{[]/.test(start) ? ID.exec(start) ?? ID.exec(end) : null;
    return found === null ? [] : this.failed([found[1] ?? found[2]!], why);
  }

  #mended(message: unknown): JSONRPCMessage | null {
    const asked = isObject(message) ? this.#waiting.get(idOf(message.id)) : undefined;
    if (!isObject(message) || asked === undefined || isQuestion(message)) {
      return understood(message) ?? understood(isObject(message) ? { ...message, jsonrpc: "2.0" } : null);
    }
    const { id, method } = asked;
    const { result, error } = message;
    if (isSaid(error)) return { jsonrpc: "2.0", id, error: errorOf(error) };
    const answer = isObject(result)
      ? understood({ jsonrpc: "2.0", id, result: mendResult(method, result) })
      : null;
    if (answer) return answer;
    return unreadable(id, "result" in message ? `its result is ${wordsOf(result)}` : "it has no result");
  }
}

/** A request of the server, which counts its own ids. */
function isQuestion(message: Record<string, unknown>): boolean {
  return typeof message.method === "string" && !("result" in message) && !isSaid(message.error);
}

function idOf(id: unknown): number {
  return typeof id === "number" || (typeof id === "string" && /^\d{1,15}$/.test(id)) ? Number(id) : NaN;
}

function isSaid(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false;
}

/** An error in words of its own is understood all the same. */
function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = isObject(error) ? error : {};
  const said = typeof message === "string"
    ? message
    : typeof error === "string"
    ? error
    : JSON.stringify(error);
  return {
    code: Number.isSafeInteger(code) ? code as number : INTERNAL,
    message: said,
    ...(data !== undefined && { data }),
  };
}

function wordsOf(result: unknown): string {
  if (result === null) return "null";
  return Array.isArray(result) ? "a list" : isObject(result) ? "of another form" : `a ${typeof result}`;
}

function unreadable(id: string | number, why: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: INTERNAL, message: why, data: { [UNREADABLE]: true } } };
}

function understood(message: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(message);
  } catch {
    return null;
  }
}
