import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { defineTool } from "../../schemas/tool.ts";

const PERCENT = 0x25;

export default defineTool({
  name: "url_encode",
  description: "Percent-encodes a text for a URL, or decodes it; when decoding, + is a space. " +
    'Example: {"text": "hello world", "decode": false} gives "hello%20world".',
  input: z.object({
    text: z.string().describe("Text to encode or to decode."),
    decode: z.boolean().default(false).describe("Decodes instead of encoding."),
  }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "text='tea & milk'", meaning: "Encode a text for a URL" },
    { line: "text=tea%20milk decode=true", meaning: "Decode one" },
  ],
  limits: { timeoutMs: 1_000 },
  run: ({ text, decode }, context) => decode ? decodeText(text, context) : encodeText(text, context),
});

/** Keeps only what RFC 3986 leaves unreserved; encodeURIComponent keeps `!'()*` as well. */
function encodeText(text: string, context: ToolContext): string {
  if (!text.isWellFormed()) context.warn("half a surrogate pair was encoded as U+FFFD");
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, encodeCharacter);
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function decodeText(text: string, context: ToolContext): string {
  const stray = text.search(/%(?![0-9a-f]{2})/i);
  if (stray >= 0) {
    context.warn(`a % without two hex digits was kept as it is, the first at position ${stray + 1}`);
  }
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    decodeBytes(text.replaceAll("+", " ")),
  );
  if (decoded.includes("\ufffd") && !/\ufffd|%ef%bf%bd/i.test(text)) {
    context.warn("bytes that are not UTF-8 became U+FFFD");
  }
  return decoded;
}

function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = bytes[at] === PERCENT ? hexValue(bytes[at + 1]) : -1;
    const low = high < 0 ? -1 : hexValue(bytes[at + 2]);
    bytes[length++] = low < 0 ? bytes[at]! : high * 16 + low;
    if (low >= 0) at += 2;
  }
  return bytes.slice(0, length);
}

/** Returns the value of an ASCII hex digit, or -1. */
function hexValue(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
