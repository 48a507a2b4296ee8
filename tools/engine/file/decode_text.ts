/** Decodes a text file: UTF-8 or UTF-16, with a mark or without, else Windows-1252 with a note. */
export function decodeText(bytes: Uint8Array): { text: string; notes: string[] } {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : null;
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), notes: [] };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), notes: [] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const notes = ["The file is not valid UTF-8 and was read as Windows-1252"];
    return { text: new TextDecoder("windows-1252").decode(bytes), notes };
  }
}
