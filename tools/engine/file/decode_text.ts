/** Part of the bytes above 127 that are common pairs in Chinese text; in that of western Europe few are. */
const MOST_PAIRED = 0.8;

/** A text, and what was guessed about its bytes. */
export interface DecodedText {
  text: string;
  notes: string[];
}

/** Decodes a text file: UTF-8 or UTF-16, with a mark or without, else GB18030 or Windows-1252 with a note. */
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
  const chinese = isPaired(bytes) ? decoded(bytes, "gb18030") : null;
  if (chinese !== null) {
    return { text: chinese, notes: ["The file is not valid UTF-8 and was read as GB18030"] };
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

/** The most common Chinese characters are two bytes, the first of them up to 0xd7, and their punctuation up to 0xa3. */
function isPaired(bytes: Uint8Array): boolean {
  let high = 0;
  let paired = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    high++;
    if (!(bytes[at + 1]! > 0xa0)) continue;
    high++;
    if (byte > 0xa0 && byte <= 0xa3 || byte >= 0xb0 && byte <= 0xd7) paired += 2;
    at++;
  }
  return paired >= high * MOST_PAIRED;
}
