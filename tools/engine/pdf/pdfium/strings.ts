import type { Pdfium } from "./library.ts";

/** Longest text of a document's own data, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads data of a document; `null` if it is not there.
 *
 * @param read Writes into a buffer of a size, and how much it would write to a third place; returns 0 if there is none
 */
export function readData(
  pdfium: Pdfium,
  read: (buffer: number, size: number, length: number) => number,
): Uint8Array | null {
  return pdfium.borrow(4, (length) => {
    pdfium.view.setUint32(length, 0, true);
    if (read(0, 0, length) === 0) return null;
    const size = pdfium.view.getUint32(length, true);
    if (size === 0 || size > MAX_BYTES) return size === 0 ? new Uint8Array(0) : null;
    return pdfium.borrow(size, (buffer) => {
      read(buffer, size, length);
      return pdfium.bytes.slice(buffer, buffer + size);
    });
  });
}

/** What PDFDocEncoding has in other places than Latin-1, from 0x18 and from 0x80 on. */
const LOW = "˘ˇˆ˙˝˛˚˜";
const HIGH = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€";
/** Marks of a language inside of a text. */
// deno-lint-ignore no-control-regex
const LANGUAGE = /\x1b[^\x1b]*\x1b/g;

/** Decodes a text as PDF writes it: UTF-16 or UTF-8 with a mark, else PDFDocEncoding. */
export function decodeTextString(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xfe && second === 0xff) {
    return new TextDecoder("utf-16be").decode(bytes).replace(LANGUAGE, "");
  }
  if (first === 0xff && second === 0xfe) {
    return new TextDecoder("utf-16le").decode(bytes).replace(LANGUAGE, "");
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder().decode(bytes);
  return Array.from(bytes, (byte) => LOW[byte - 0x18] ?? HIGH[byte - 0x80] ?? String.fromCharCode(byte)).join(
    "",
  );
}
