import { Buffer } from "node:buffer";

import type { Files, Location } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { type Codec, UTF_8 } from "./encoding/codec.ts";
import { detectEncoding } from "./encoding/detect.ts";
import { readBytes } from "./read_bytes.ts";

/** Largest file that is held in memory as a whole, in bytes. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** A text file whose text encodes back to exactly its bytes: a BOM and every line end are kept in it. */
export interface TextFile {
  location: Location;
  text: string;
  codec: Codec;
}

/**
 * Reads a whole text file for editing, in its own encoding.
 *
 * @throws {ToolError} `invalid_input` for bytes that are no text, or whose encoding is not sure; `limit_exceeded` above
 * 64 MiB
 */
export async function loadText(files: Files, path: string): Promise<TextFile> {
  using open = await files.open(path);
  if (open.info.size > MAX_TEXT_BYTES) {
    throw new ToolError(
      "limit_exceeded",
      `Cannot edit "${path}": it has ${open.info.size} bytes, more than 64 MiB`,
    );
  }
  const bytes = await readBytes(open.file, { maxBytes: MAX_TEXT_BYTES, size: open.info.size });
  return {
    location: { path: open.path, real: open.real, info: open.info },
    ...decodeExactly(bytes, path),
  };
}

/** Decodes so that encoding gives the same bytes back, or refuses. */
function decodeExactly(bytes: Uint8Array<ArrayBuffer>, path: string): { text: string; codec: Codec } {
  const found = detectEncoding(bytes);
  if (found?.sure) {
    const { codec, text } = found;
    const again = codec === UTF_8 ? bytes : codec.encode(text);
    if (again instanceof Uint8Array && equalBytes(again, bytes)) return { text, codec };
    const message =
      `Cannot edit "${path}": it is ${codec.name} with characters that have several codes, and editing ` +
      "would change other bytes";
    throw new ToolError("invalid_input", message);
  }
  const control = found ? -1 : bytes.findIndex((byte) => byte === 0);
  const reason = control >= 0
    ? `it is binary, byte ${control} is NUL`
    : found === null
    ? "it is binary: it holds control characters and is not valid UTF-8"
    : `it is not valid UTF-8, ${likelyText(found.likely)}`;
  throw new ToolError("invalid_input", `Cannot edit "${path}": ${reason}`);
}

function likelyText(likely: readonly Codec[]): string {
  if (likely.length === 0) return "and editing would change its other bytes";
  return `and may be ${likely.map(({ name }) => name).join(" or ")}: convert it first, with iconv in Bash`;
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Says in which encoding a file was written back, if it is not UTF-8. */
export function warnAboutCodec(
  { codec }: Pick<TextFile, "codec">,
  path: string,
  warn: (message: string) => void,
): void {
  if (codec !== UTF_8) warn(`"${path}" is written in ${codec.name}, and stays so`);
}

/**
 * Says in which encoding the text of a file was that a whole text in UTF-8 takes the place of; `null` if that was UTF-8,
 * no text, or cannot be read.
 */
export async function otherEncoding(files: Files, path: string): Promise<string | null> {
  try {
    using open = await files.open(path);
    if (open.info.size > MAX_TEXT_BYTES) return null;
    const found = detectEncoding(
      await readBytes(open.file, { maxBytes: MAX_TEXT_BYTES, size: open.info.size }),
    );
    const codecs = found === null ? [] : found.sure ? [found.codec] : found.likely;
    return codecs.length === 0 || codecs[0] === UTF_8 ? null : codecs.map(({ name }) => name).join(" or ");
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

/** A text that takes the place of another. */
export interface TextChange {
  /** What `loadText` read. */
  from: Pick<TextFile, "text" | "codec">;
  to: string;
}

/**
 * Writes the whole text back, atomically, with the file's mode and encoding kept.
 *
 * @throws {ToolError} `conflict` that is `retryable` if the file no longer holds what was read; `invalid_input` for text
 * that its encoding does not have
 */
export async function saveText(files: Files, path: string, { from, to }: TextChange): Promise<Location> {
  const replaces = encodeText(from.text, { codec: from.codec, path });
  return await files.write(path, encodeText(to, { codec: from.codec, path }), { replaces });
}

/**
 * Encodes a text for a file.
 *
 * @param options `codec` is the encoding. @default UTF-8
 * @throws {ToolError} `invalid_input` for a character that it does not have, such as half of a surrogate pair
 */
export function encodeText(text: string, options: { codec?: Codec; path: string }): Uint8Array<ArrayBuffer> {
  const { codec = UTF_8, path } = options;
  const bytes = codec.encode(text);
  if (bytes instanceof Uint8Array) return bytes;
  const point = bytes.missing.codePointAt(0) ?? 0;
  const number = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const line = lineNumberAt(text, text.indexOf(bytes.missing));
  throw new ToolError(
    "invalid_input",
    bytes.missing.isWellFormed()
      ? `Cannot write "${path}": "${bytes.missing}" (${number}) in line ${line} does not exist in ${codec.name}, the ` +
        "encoding of the file: use other characters, or convert the file to UTF-8 first, with iconv in Bash"
      : `Cannot write "${path}": the text holds half of a surrogate pair (${number}) in line ${line}, which no file can ` +
        "hold: send the whole character",
    { details: { path, character: number, line } },
  );
}

/** Splits after every `\n`; the terminators stay, so that joining gives the text back. An empty text has no lines. */
export function splitLines(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1 && lines[0] === "" ? [] : lines;
}

/** Returns the line end that most lines of the text have; `\n` for a text of one line. */
export function lineEnding(text: string): "\n" | "\r\n" {
  let all = 0;
  let carriage = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    all++;
    if (text[at - 1] === "\r") carriage++;
  }
  return carriage * 2 > all ? "\r\n" : "\n";
}

/** Returns the 1-based number of the line that holds the character at `index`. */
export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
