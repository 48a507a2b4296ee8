/** Turns bytes of one encoding into text and back. A mark at the start stays in the text as U+FEFF. */
export interface Codec {
  /** The usual name, as people write it. */
  name: string;
  /** Returns the text, or `null` for bytes that the encoding does not have. */
  decode(bytes: Uint8Array): string | null;
  /** Returns the bytes, or the first character that the encoding does not have. */
  encode(text: string): Uint8Array<ArrayBuffer> | { missing: string };
}

/** UTF-8: every text but a half of a surrogate pair. */
export const UTF_8: Codec = {
  name: "UTF-8",
  decode: (bytes) => decodeLabel("utf-8", bytes),
  encode: (text) => text.isWellFormed() ? new TextEncoder().encode(text) : { missing: loneSurrogate(text) },
};

/** UTF-16 or UTF-32, with the lower byte of each number first or last. */
export function unicodeCodec(name: string, unitBytes: 2 | 4, littleEndian: boolean): Codec {
  return {
    name,
    decode: (bytes) =>
      unitBytes === 2
        ? decodeLabel(littleEndian ? "utf-16le" : "utf-16be", bytes)
        : decodeUtf32(bytes, littleEndian),
    encode(text) {
      if (!text.isWellFormed()) return { missing: loneSurrogate(text) };
      const points = Array.from(text, (character) => character.codePointAt(0)!);
      const units = unitBytes === 4
        ? points
        : Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
      const view = new DataView(new ArrayBuffer(units.length * unitBytes));
      units.forEach((unit, at) =>
        unitBytes === 2
          ? view.setUint16(at * 2, unit, littleEndian)
          : view.setUint32(at * 4, unit, littleEndian)
      );
      return new Uint8Array(view.buffer);
    },
  };
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string | null {
  if (bytes.length % 4 !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const point = view.getUint32(at, littleEndian);
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return null;
    pieces.push(String.fromCodePoint(point));
  }
  return pieces.join("");
}

/** An encoding in which ASCII is itself, by its label in the Encoding Standard. */
export function legacyCodec(name: string, label: string): Codec {
  return {
    name,
    decode: (bytes) => decodeLabel(label, bytes),
    encode(text) {
      const table = tableOf(label);
      const bytes: number[] = [];
      for (const character of text) {
        const code = character.charCodeAt(0);
        const known = code < 0x80 ? code : table.get(character) ?? beyondTable(label, character);
        if (known === undefined) return { missing: character };
        // Two or four bytes stand as one number.
        for (let shift = known > 0xffff ? 24 : known > 0xff ? 8 : 0; shift >= 0; shift -= 8) {
          bytes.push(Math.floor(known / 2 ** shift) & 0xff);
        }
      }
      return Uint8Array.from(bytes);
    },
  };
}

const tables = new Map<string, ReadonlyMap<string, number>>();

/** The bytes of each character, made once by decoding all codes that the encoding may have. */
function tableOf(label: string): ReadonlyMap<string, number> {
  const known = tables.get(label);
  if (known) return known;
  const table = new Map<string, number>();
  const decoder = new TextDecoder(label, { fatal: true });
  const add = (code: number, bytes: number[]) => {
    const character = decodeWith(decoder, Uint8Array.from(bytes));
    if (character === null || !isPreferred(label, { code, before: table.get(character) })) return;
    if ([...character].length === 1) table.set(character, code);
  };
  for (let lead = 0x80; lead <= 0xff; lead++) {
    add(lead, [lead]);
    for (let trail = 0x40; trail <= 0xfe && isDouble(label); trail++) add(lead << 8 | trail, [lead, trail]);
  }
  if (label === "gb18030") addFourBytes(add);
  tables.set(label, table);
  return table;
}

const isDouble = (label: string) => !/^(windows|iso|koi8|ibm|macintosh)/.test(label);

/** Some characters have several codes: which one programs write, mostly the first. */
function isPreferred(label: string, { code, before }: { code: number; before: number | undefined }): boolean {
  // The euro sign of older programs.
  if (label === "gb18030" && code === 0x80) return false;
  if (before === undefined) return true;
  // Of NEC's and IBM's doubles those in the last place, and of Hong Kong's those of the standard.
  if (label === "shift_jis") return code >= 0xfa40 && before >= 0xed40 && before < 0xf000;
  return label === "big5" && code >= 0xa140 && before < 0xa140;
}

/** Those of the first plane. */
function addFourBytes(add: (code: number, bytes: number[]) => void): void {
  for (let pointer = 0; pointer < 39_420; pointer++) {
    const bytes = fourBytes(pointer);
    add(numberOf(bytes), bytes);
  }
}

/** Characters beyond the first plane follow each other in GB18030. */
function beyondTable(label: string, character: string): number | undefined {
  const point = character.codePointAt(0)!;
  return label === "gb18030" && point > 0xffff ? numberOf(fourBytes(point - 0x10000 + 189_000)) : undefined;
}

function fourBytes(pointer: number): number[] {
  return [
    0x81 + Math.floor(pointer / 12_600),
    0x30 + Math.floor(pointer / 1260) % 10,
    0x81 + Math.floor(pointer / 10) % 126,
    0x30 + pointer % 10,
  ];
}

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((code, byte) => code * 256 + byte, 0);
}

function decodeLabel(label: string, bytes: Uint8Array): string | null {
  return decodeWith(new TextDecoder(label, { fatal: true, ignoreBOM: true }), bytes);
}

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

function loneSurrogate(text: string): string {
  return text.match(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)?.[0] ?? "";
}
