/** Text of a server, and how it was decoded. */
export interface Decoded {
  text: string;
  /** Name of the character set, as `TextDecoder` gives it. */
  charset: string;
  /** What told it. */
  by: "mark" | "header" | "page" | "content";
}

/** Where a page must declare its character set, in bytes; browsers look at 1024. */
const HEAD_BYTES = 4096;
const META = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
const XML = /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i;
const HEADER = /\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
/** Names that servers use, and the standard does not know. */
const ALIASES: Readonly<Record<string, string>> = {
  cp949: "euc-kr",
  cp932: "shift_jis",
  cp936: "gbk",
  utf8mb4: "utf-8",
};
const NOT_ASCII_OR_LOST = /[^\0-\x7f\ufffd]/;

/**
 * Decodes the text of a page or of a file: by its byte order mark, by the header, by what the page declares, else as
 * UTF-8 if it is valid, else as windows-1252. Names that nobody knows are passed over.
 *
 * @param contentType The header `Content-Type`, `""` if there was none
 */
export function decodeText(bytes: Uint8Array, contentType: string): Decoded {
  const marked = markOf(bytes);
  if (marked !== null) return { ...decodeAs(marked, bytes), by: "mark" };
  const inHeader = known(HEADER.exec(contentType)?.[1]);
  if (inHeader !== null) return { ...decodeAs(inHeader, bytes), by: "header" };
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
  const declared = known(META.exec(head)?.[1] ?? XML.exec(head)?.[1]);
  if (declared !== null) {
    // What could be read as ASCII is not UTF-16, whatever it says.
    return { ...decodeAs(declared.startsWith("utf-16") ? "utf-8" : declared, bytes), by: "page" };
  }
  const text = validUtf8(bytes);
  if (text !== null) return { text, charset: "utf-8", by: "content" };
  return { ...decodeAs("windows-1252", bytes), by: "content" };
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/** Returns the standard name of a character set, `null` if there is no such set. */
function known(name: string | undefined): string | null {
  if (name === undefined) return null;
  const lower = name.toLowerCase();
  try {
    return new TextDecoder(Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower).encoding;
  } catch {
    return null;
  }
}

function decodeAs(charset: string, bytes: Uint8Array): Pick<Decoded, "text" | "charset"> {
  const text = new TextDecoder(charset).decode(bytes);
  // Old pages say that they are UTF-8 and are not: then nothing but ASCII is left of them.
  if (charset === "utf-8" && text.includes("\ufffd") && !NOT_ASCII_OR_LOST.test(text)) {
    return { text: new TextDecoder("windows-1252").decode(bytes), charset: "windows-1252" };
  }
  return { text, charset };
}

/** Decodes UTF-8, `null` if it is none. The last character may be cut. */
function validUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
