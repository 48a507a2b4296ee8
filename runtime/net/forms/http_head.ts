import { GateFailure } from "../dial/gate_failure.ts";
import { latin1 } from "../wire/streams.ts";
import type { Wire } from "../wire/wire.ts";

const CR = 13;
const LF = 10;

/** A header: its name and its value. */
export type HeaderLine = readonly [name: string, value: string];

/** The lines before the body of a request. */
export interface RequestHead {
  method: string;
  /** Who asks is of HTTP/1.0: it knows no body in pieces. */
  isOld: boolean;
  /** As it stands in the first line. */
  target: string;
  /** In their order; names in lower case. */
  headers: readonly HeaderLine[];
}

/** The lines before the body of an answer. */
export interface AnswerHead {
  status: number;
  /** The first line without its version. */
  line: string;
  headers: readonly HeaderLine[];
  /** The server takes another request on this connection. */
  keeps: boolean;
}

/** How long a body is: in bytes, in pieces, or until its connection ends. */
export type BodyLength = number | "chunked" | "close";

/**
 * Reads the lines before a body, with the empty one that ends them.
 *
 * @returns `null` if the source ends before its first byte
 * @throws {GateFailure} `request` for lines that are cut or too long
 */
export async function readHead(from: Wire): Promise<string | null> {
  for (let searched = 0;;) {
    const { unread } = from;
    const end = endOfHead(unread, searched);
    if (end >= 0) {
      const text = latin1(unread.subarray(0, end));
      from.skip(end);
      return text;
    }
    searched = Math.max(0, unread.length - 2);
    if (await from.fill()) continue;
    if (unread.length === 0) return null;
    throw new GateFailure("request", "the headers have no end");
  }
}

/** Where the body begins; -1 if the empty line is not there. Which line ends are right is not its matter. */
function endOfHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

/**
 * Reads the head of a request strictly: what two readers may understand in two ways is refused.
 *
 * @throws {GateFailure} `request`
 */
export function parseRequestHead(text: string): RequestHead {
  const lines = text.split("\r\n");
  const [, method, target, minor] = /^([A-Za-z]+) ([\x21-\x7e]+) HTTP\/1\.([01])$/.exec(lines[0] ?? "") ?? [];
  if (method === undefined || target === undefined) {
    throw new GateFailure("request", "the first line is not that of a request");
  }
  const headers = headerLines(lines);
  if (headers === null) throw new GateFailure("request", "a header cannot be read");
  return { method, isOld: minor === "0", target, headers };
}

/**
 * Reads the head of an answer. Line feeds alone end lines too, as clients allow.
 *
 * @returns `null` for what is no head of an answer
 */
export function parseAnswerHead(text: string): AnswerHead | null {
  const lines = text.split(/\r?\n/);
  const [, minor, line = "", status] =
    /^HTTP\/1\.([01]) ((\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?)$/.exec(lines[0] ?? "") ?? [];
  const headers = headerLines(lines);
  if (minor === undefined || headers === null) return null;
  const keeps = minor === "1" && !connectionWords(headers).includes("close");
  return { status: Number(status), line, headers, keeps };
}

/** Reads the lines between the first one and the two empty ones at the end; `null` if one cannot be read. */
function headerLines(lines: readonly string[]): HeaderLine[] | null {
  if (lines.at(-1) !== "" || lines.at(-2) !== "") return null;
  const headers: HeaderLine[] = [];
  for (let at = 1; at < lines.length - 2; at++) {
    const [, name, value] = HEADER.exec(lines[at]!) ?? [];
    if (name === undefined || value === undefined) return null;
    headers.push([name.toLowerCase(), trimmed(value)]);
  }
  return headers;
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/** Without blanks around it. A pattern would try each of many blanks in the middle again and again. */
function trimmed(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && BLANKS.includes(value[start]!)) start++;
  while (start < end && BLANKS.includes(value[end - 1]!)) end--;
  return value.slice(start, end);
}

const BLANKS = " \t";

/** Returns the value of a header, `null` if it is not there; the first of several. */
export function headerOf({ headers }: Pick<RequestHead, "headers">, name: string): string | null {
  return headers.find(([key]) => key === name)?.[1] ?? null;
}

/**
 * Returns the length of a request's body.
 *
 * @throws {GateFailure} `request` if it is told twice, or in a way of its own
 */
export function bodyLength({ headers }: RequestHead): number | "chunked" {
  const lengths = headers.filter(([name]) => name === "content-length");
  const codings = headers.filter(([name]) => name === "transfer-encoding");
  if (lengths.length + codings.length > 1) throw new GateFailure("request", "the body has two lengths");
  const [length] = lengths;
  if (length) {
    if (/^\d{1,15}$/.test(length[1])) return Number(length[1]);
    throw new GateFailure("request", "the length of the body is not a number");
  }
  const [coding] = codings;
  if (!coding) return 0;
  if (coding[1].toLowerCase() === "chunked") return "chunked";
  throw new GateFailure("request", "the body's form is not known");
}

/**
 * Returns the length of an answer's body.
 *
 * @param method Of the request
 * @returns `null` if it is told in two ways, or in a form that is not known
 */
export function answerLength({ status, headers }: AnswerHead, method: string): BodyLength | null {
  if (method === "HEAD" || status === 204 || status === 304) return 0;
  const codings = headers.filter(([name]) => name === "transfer-encoding");
  const lengths = new Set(headers.flatMap(([name, value]) => name === "content-length" ? [value] : []));
  if (codings.length > 0) {
    const isKnown = codings.length === 1 && lengths.size === 0 && codings[0]![1].toLowerCase() === "chunked";
    return isKnown ? "chunked" : null;
  }
  if (lengths.size === 0) return "close";
  const [length = ""] = lengths;
  return lengths.size === 1 && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/** Headers that concern only one connection; what tells the length of the body is written anew. */
const HOP: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers of a request that go on to its server, or of an answer that go on to who asked. */
export function headersToPass({ headers }: Pick<RequestHead, "headers">): HeaderLine[] {
  const named = connectionWords(headers);
  return headers.filter(([name]) => !HOP.has(name) && !named.includes(name) && !name.startsWith("x-gate-"));
}

/** Returns the header that tells the length of a body. */
export function lengthHeader(length: BodyLength): HeaderLine {
  return typeof length === "number" ? ["Content-Length", String(length)] : ["Transfer-Encoding", "chunked"];
}

function connectionWords(headers: readonly HeaderLine[]): string[] {
  return headers.filter(([name]) => name === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(",").map((word) => word.trim()));
}

/** Writes the lines before a body. */
export function writeHead(first: string, headers: readonly HeaderLine[]): Uint8Array<ArrayBuffer> {
  let text = `${first}\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  text += "\r\n";
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
