import { decodeBody, type Pieces } from "../wire/decode_body.ts";

/** A body of at most so many bytes that says its length is read at once. */
const SMALL_BYTES = 64 * 1024;
const READ_BYTES = 64 * 1024;

/** Bounds of a body. */
export interface BodyBounds {
  /** Most bytes, after inflating. */
  maxBytes: number;
  /** Hears of each piece that comes. */
  onPiece(): void;
}

/** Says whether a body is so small that nobody hears of its pieces. One that was packed names its coding, or no length. */
export function isReadAtOnce({ headers }: Response, maxBytes: number): boolean {
  const told = Number(headers.get("content-length") ?? NaN);
  return (headers.get("content-encoding") ?? "") === "" && told <= Math.min(SMALL_BYTES, maxBytes);
}

/**
 * Reads a body up to its bound. What is beyond is neither read nor inflated.
 *
 * @throws {ToolError} `external_failure` if it cannot be unpacked
 */
export async function readBody(
  response: Response,
  { maxBytes, onPiece }: BodyBounds,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  if (response.body === null) return { body: new Uint8Array(), truncated: false };
  if (isReadAtOnce(response, maxBytes)) {
    return { body: new Uint8Array(await response.arrayBuffer()), truncated: false };
  }
  const coding = response.headers.get("content-encoding") ?? "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  let truncated = false;
  for await (const chunk of decodeBody(piecesOf(response.body, onPiece), coding)) {
    const kept = chunk.subarray(0, maxBytes - length);
    chunks.push(kept);
    length += kept.length;
    truncated = kept.length < chunk.length;
    if (truncated) break;
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return { body, truncated };
}

/** Reads into one buffer again and again: the stream itself would take a whole one for each small piece. */
async function* piecesOf(stream: ReadableStream<Uint8Array>, onPiece: () => void): Pieces {
  const reader = stream.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(READ_BYTES);
  let isWhole = false;
  try {
    for (;;) {
      const read: { done: boolean; value?: Uint8Array | undefined } = await reader.read(
        new Uint8Array(buffer),
      );
      isWhole = read.done;
      if (read.done || read.value === undefined) return;
      onPiece();
      yield read.value.slice();
      buffer = read.value.buffer as ArrayBuffer;
    }
  } finally {
    if (!isWhole) await reader.cancel().catch(() => {});
  }
}
