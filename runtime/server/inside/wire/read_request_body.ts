import { GateFailure } from "../../../net/dial/gate_failure.ts";
import { ChunkScanner } from "../../../net/forms/chunk_scanner.ts";
import { writeAll } from "../../../net/wire/streams.ts";
import type { Wire } from "../../../net/wire/wire.ts";
import type { Deadline } from "./deadline.ts";
import { HttpFailure } from "./http_failure.ts";
import type { Incoming } from "./read_request.ts";

/** How {@linkcode readRequestBody} reads. */
export interface BodyOptions {
  maxBytes: number;
  /** Longest time, besides a second for each 64 KiB, in milliseconds. */
  ms: number;
  deadline: Deadline;
  /** Hears of bytes before they are kept; throws if there are too many in all. */
  onBytes(count: number): void;
}

const FIRST_BYTES = 4 * 1024;
const BYTES_A_SECOND = 64 * 1024;
const CONTINUE = new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n");

/**
 * Reads the body of a request.
 *
 * @throws {HttpFailure} 413 for one that is too long, 400 for one that is cut or cannot be read
 */
export async function readRequestBody(
  wire: Wire,
  request: Incoming,
  { maxBytes, ms, deadline, onBytes }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { length } = request;
  if (length === 0) return new Uint8Array();
  if (length !== "chunked" && length > maxBytes) throw tooLong(maxBytes);
  if (request.headers.get("expect")?.toLowerCase() === "100-continue") await writeAll(wire.conn, CONTINUE);
  let body = new Uint8Array(FIRST_BYTES);
  let count = 0;
  // Pieces may have one byte each: they are not kept apart.
  const keep = (bytes: Uint8Array) => {
    const end = count + bytes.length;
    if (end > maxBytes) throw tooLong(maxBytes);
    onBytes(bytes.length);
    if (end > body.length) {
      const longer = new Uint8Array(Math.max(end, 2 * body.length));
      longer.set(body);
      body = longer;
    }
    body.set(bytes, count);
    count = end;
  };
  const begin = performance.now();
  const take = length === "chunked" ? chunkTaker(wire, keep) : plainTaker(wire, length, keep);
  while (!take()) {
    deadline.set(begin + ms + count / BYTES_A_SECOND * 1_000 - performance.now());
    if (!await wire.fill()) throw HttpFailure.of(400, "The request cannot be read: its body has no end");
  }
  deadline.clear();
  return body.subarray(0, count);
}

/** Takes what was read; says whether that was the end. */
function plainTaker(wire: Wire, length: number, keep: (bytes: Uint8Array) => void): () => boolean {
  let left = length;
  return () => {
    const part = wire.unread.subarray(0, left);
    keep(part);
    left -= part.length;
    wire.skip(part.length);
    return left === 0;
  };
}

function chunkTaker(wire: Wire, keep: (bytes: Uint8Array) => void): () => boolean {
  const scanner = new ChunkScanner(keep);
  return () => {
    try {
      const { taken, hasEnded } = scanner.scan(wire.unread);
      wire.skip(taken);
      return hasEnded;
    } catch (error) {
      throw error instanceof GateFailure
        ? HttpFailure.of(400, `The request cannot be read: ${error.message}`)
        : error;
    }
  };
}

function tooLong(maxBytes: number): HttpFailure {
  return HttpFailure.of(413, `The body is too long: at most ${maxBytes} bytes are read`);
}
