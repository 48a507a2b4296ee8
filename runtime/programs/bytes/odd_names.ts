// Names of files are bytes, and texts of this program are not: a byte that is no UTF-8 stands in a path as one character
// of U+DC80 to U+DCFF. Alone, these stand in no text that Deno gives. No function of Deno takes such a path.

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ENCODER = new TextEncoder();
const BYTE = 0xdc00;
const LONE = /[\udc80-\udcff]/u;
const ALL_LONE = /[\udc80-\udcff]/gu;

/** Makes a path of bytes. What is UTF-8 becomes the same text as everywhere. */
export function pathOfBytes(bytes: Uint8Array): string {
  const whole = decode(bytes);
  if (whole !== null) return whole;
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = lengthOf(bytes[at]!);
    const character = length === 0 ? null : decode(bytes.subarray(at, at + length));
    text += character ?? String.fromCharCode(BYTE + bytes[at]!);
    at += character === null ? 1 : length;
  }
  return text;
}

/** Returns the bytes of a path. */
export function bytesOfPath(path: string): Uint8Array {
  if (!isOdd(path)) return ENCODER.encode(path);
  const parts = Array.from(path, (character) => {
    const code = character.charCodeAt(0);
    return LONE.test(character) ? Uint8Array.of(code - BYTE) : ENCODER.encode(character);
  });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Says whether a path holds bytes that are no UTF-8. */
export function isOdd(path: string): boolean {
  return LONE.test(path);
}

/** Returns how many bytes a path has. */
export function byteLength(path: string): number {
  return isOdd(path) ? bytesOfPath(path).length : ENCODER.encode(path).length;
}

/** How much of a long path is shown, in characters. */
const SHOWN = 400;

/** Makes a path that people can read: `\xe9` for a byte that is no UTF-8, and a long one without its middle. */
export function showPath(path: string): string {
  const half = SHOWN / 2;
  const short = path.length <= SHOWN
    ? path
    : `${path.slice(0, half)}[… ${path.length - SHOWN} characters …]${path.slice(-half)}`;
  return short.toWellFormed() === short ? short : short.replace(ALL_LONE, (byte) => {
    return `\\x${(byte.charCodeAt(0) - BYTE).toString(16)}`;
  });
}

function decode(bytes: Uint8Array): string | null {
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}

/** How many bytes a character has that starts with this one; 0 for none. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}
