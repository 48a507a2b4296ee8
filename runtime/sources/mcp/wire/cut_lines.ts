import { cutBytes } from "../../../text/cut_bytes.ts";
import { MAX_SERVER_MESSAGE } from "./mcp_wire.ts";

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, without their ends. What is too long is never put together: the lines end there.
 *
 * @param onTooLong Called when a line is longer than the bound
 */
export function cutLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes = MAX_SERVER_MESSAGE, onTooLong }: { maxBytes?: number; onTooLong: () => void },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return cutBytes(chunks, { at: NEWLINE, maxBytes, onTooLong });
}
