import { sniff } from "../../file/sniff.ts";

/** What a server gave, as it is to be read. */
export type WebKind = "html" | "xml" | "json" | "text" | "pdf" | "office" | "image" | "other";

const HTML_START =
  /^(?:\ufeff|\s|<!--[^]*?-->)*<(?:!doctype\s+html|html|head|body|title|meta|script|div|p|h1|table)\b/i;
const XML_START = /^(?:\ufeff|\s)*<\?xml\b/i;
const XHTML = /<html\b/i;
const JSON_START = /^(?:\ufeff|\s)*[[{]/;
const HEAD_CHARS = 2048;
/** Types of servers that say nothing about the content. */
const VAGUE =
  /^(?:|application\/(?:octet-stream|x-download|force-download|download|binary)|binary\/.*|\*\/\*)$/;

/**
 * Tells what a server gave: by its first bytes if they tell, else by the header, else by how the text begins.
 *
 * @param contentType The header, `""` if there was none
 * @param url Its ending counts for archives that are office files
 */
export function kindOf(bytes: Uint8Array, contentType: string, url: string): WebKind {
  const path = URL.parse(url)?.pathname ?? "";
  const { type, format } = sniff(bytes, path);
  if (type === "pdf" || type === "image" || type === "office") return type;
  if (type !== "text" && format !== "utf-16" && !isWide(contentType)) return "other";
  const media = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const head = startOf(bytes, format);
  if (media === "text/html" || media === "application/xhtml+xml") {
    return JSON_START.test(head) && isJson(bytes) ? "json" : "html";
  }
  if (/[/+]json$|^application\/(?:x-)?(?:ndjson|jsonlines)$/.test(media)) return "json";
  if (/[/+]xml$/.test(media)) return XHTML.test(head) ? "html" : "xml";
  if (media === "text/plain" || VAGUE.test(media)) return kindOfText(head, bytes, media === "text/plain");
  return "text";
}

function kindOfText(head: string, bytes: Uint8Array, isPlain: boolean): WebKind {
  // A server that says "plain text" shows the source.
  if (!isPlain && HTML_START.test(head)) return "html";
  if (!isPlain && XML_START.test(head)) return XHTML.test(head) ? "html" : "xml";
  return JSON_START.test(head) && isJson(bytes) ? "json" : "text";
}

/** UTF-16 and UTF-32 without a mark have NUL bytes. */
function isWide(contentType: string): boolean {
  return /charset\s*=\s*"?utf-(?:16|32)/i.test(contentType);
}

function startOf(bytes: Uint8Array, format: string): string {
  const head = bytes.subarray(0, HEAD_CHARS);
  if (format !== "utf-16") return new TextDecoder("latin1").decode(head);
  return new TextDecoder(head[0] === 0xff ? "utf-16le" : "utf-16be").decode(head);
}

/** Looks whether the last character closes what the first one opened: the whole is not parsed twice. */
function isJson(bytes: Uint8Array): boolean {
  const end = new TextDecoder("latin1").decode(bytes.subarray(-64)).trimEnd();
  return end.endsWith("}") || end.endsWith("]");
}
