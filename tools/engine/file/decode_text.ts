import { detectEncoding } from "./encoding/detect.ts";
import { type Codec, legacyCodec } from "./encoding/codec.ts";

/** A text, and what was guessed about its bytes. */
export interface DecodedText {
  text: string;
  notes: string[];
}

/** Decodes a text file without its mark: in its own encoding, else as the likeliest one or Windows-1252, with a note. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const found = detectEncoding(bytes);
  const { name, text } = found?.sure
    ? { name: found.codec.name, text: found.text }
    : guess(bytes, found?.likely ?? []);
  const notes = /^UTF-/.test(name) ? [] : [`The file is not valid UTF-8 and was read as ${name}`];
  return { text: text.replace(/^\ufeff/, ""), notes };
}

function guess(bytes: Uint8Array, [likely = WEST]: readonly Codec[]): { name: string; text: string } {
  return { name: likely.name, text: likely.decode(bytes) ?? "" };
}

const WEST = legacyCodec("Windows-1252", "windows-1252");
