import { ToolError } from "../../../schemas/error.ts";
import { GateFailure } from "../dial/gate_failure.ts";
import { decodeBody, type Pieces } from "../wire/decode_body.ts";
import { maskedSource } from "../wire/masked_source.ts";
import type { ByteSource } from "../wire/streams.ts";
import { Wire } from "../wire/wire.ts";
import { type AnswerHead, type BodyLength, headerOf } from "./http_head.ts";
import { piecesOf } from "./pass_body.ts";

/** An answer that is masked while it is read. */
export interface MaskedAnswer {
  source: Wire;
  head: AnswerHead;
  length: "close";
}

/**
 * Masks some texts in the body of an answer. It is unpacked, and read past its division into pieces: a text could hide in
 * both.
 *
 * @throws {GateFailure} `connect` for what is packed in a way that is not known
 */
export function maskAnswer(
  head: AnswerHead,
  { from, length, masks }: { from: Wire; length: BodyLength; masks: readonly string[] },
): MaskedAnswer {
  const pieces = unpacked(piecesOf(from, length), headerOf(head, "content-encoding") ?? "");
  const headers = head.headers.filter(([name]) => name !== "content-encoding");
  return {
    source: new Wire(from.conn, maskedSource(sourceOf(pieces), masks)),
    head: { ...head, headers },
    length: "close",
  };
}

/** Small letters stand for what a client has unpacked already. */
function unpacked(pieces: Pieces, coding: string): Pieces {
  try {
    return decodeBody(pieces, coding.toUpperCase());
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new GateFailure("connect", error.message);
  }
}

function sourceOf(pieces: Pieces): ByteSource {
  const source = pieces[Symbol.asyncIterator]();
  let left = new Uint8Array();
  return {
    async read(buffer) {
      while (left.length === 0) {
        const { done, value } = await source.next();
        if (done) return null;
        left = value.slice();
      }
      const part = left.subarray(0, buffer.length);
      buffer.set(part);
      left = left.subarray(part.length);
      return part.length;
    },
  };
}
