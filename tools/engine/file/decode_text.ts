import { guessEncodings } from "./guess_encoding.ts";

/** A text, and what was guessed about its bytes. */
export interface DecodedText {
  text: string;
  notes: string[];
}

/** Decodes a text file: UTF-8 or UTF-16 with a mark, else GB18030, Shift-JIS, Big5, EUC-KR or Windows-1252 with a note. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : null;
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), notes: [] };
  const utf8 = decoded(bytes, "utf-8");
  if (utf8 !== null) return { text: utf8, notes: [] };
  for (const { label, name } of guessEncodings(bytes)) {
    const text = decoded(bytes, label);
    if (text !== null) return { text, notes: [`The file is not valid UTF-8 and was read as ${name}`] };
  }
  const notes = ["The file is not valid UTF-8 and was read as Windows-1252"];
  return { text: new TextDecoder("windows-1252").decode(bytes), notes };
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}
