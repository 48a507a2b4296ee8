import { GateFailure } from "../../../net/dial/gate_failure.ts";
import {
  bodyLength,
  headerOf,
  parseRequestHead,
  readHead,
  type RequestHead,
} from "../../../net/forms/http_head.ts";
import type { Wire } from "../../../net/wire/wire.ts";
import { HttpFailure } from "./http_failure.ts";
import { MAX_HEAD_BYTES, MAX_HEADERS, MAX_TARGET_BYTES } from "./http_limits.ts";

/** A request whose body is still to be read. */
export interface Incoming {
  method: string;
  /** As written: path and query. */
  target: string;
  /** By name in small letters; several of a name are joined. */
  headers: ReadonlyMap<string, string>;
  length: number | "chunked";
  /** Another request may follow on the connection. */
  keeps: boolean;
}

/** Headers of which a second one means something else than both together. */
const SINGLE = ["host", "origin", "authorization", "content-type", "sec-fetch-site", "last-event-id"];

/**
 * Reads the lines before a body, strictly: what two readers may understand in two ways is refused.
 *
 * @returns `null` if the connection ended before
 * @throws {HttpFailure} 400, 414, 431
 */
export async function readRequest(wire: Wire): Promise<Incoming | null> {
  const text = await headText(wire);
  if (text === null) return null;
  if (text.length > MAX_HEAD_BYTES) throw tooLong(`a head has at most ${MAX_HEAD_BYTES} bytes`);
  const head = strictly(() => parseRequestHead(text));
  const { target } = head;
  if (target.length > MAX_TARGET_BYTES) {
    throw HttpFailure.of(
      414,
      `The path with its query has ${target.length} bytes, at most ${MAX_TARGET_BYTES} are read`,
    );
  }
  if (head.headers.length > MAX_HEADERS) throw tooLong(`a request has at most ${MAX_HEADERS} headers`);
  const length = strictly(() => bodyLength(head));
  if (head.isOld && length === "chunked") throw malformed("HTTP/1.0 knows no body in pieces");
  if (!target.startsWith("/")) throw malformed("its target must begin with /");
  return { method: head.method, target, headers: headersOf(head), length, keeps: keepsOf(head) };
}

async function headText(wire: Wire): Promise<string | null> {
  try {
    return await readHead(wire);
  } catch (error) {
    if (!(error instanceof GateFailure)) throw error;
    if (wire.unread.length > MAX_HEAD_BYTES) throw tooLong(`a head has at most ${MAX_HEAD_BYTES} bytes`);
    throw malformed(error.message);
  }
}

function strictly<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof GateFailure ? malformed(error.message) : error;
  }
}

function headersOf(head: RequestHead): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of head.headers) {
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else if (SINGLE.includes(name)) throw malformed(`it has the header ${name} twice`);
    else headers.set(name, `${before}${name === "cookie" ? ";" : ","} ${value}`);
  }
  return headers;
}

function keepsOf(head: RequestHead): boolean {
  const words = (headerOf(head, "connection") ?? "").toLowerCase().split(",").map((word) => word.trim());
  return head.isOld ? words.includes("keep-alive") : !words.includes("close");
}

function malformed(why: string): HttpFailure {
  return HttpFailure.of(400, `The request cannot be read: ${why}`);
}

function tooLong(why: string): HttpFailure {
  return HttpFailure.of(431, `The headers are too long: ${why}`);
}
