import { writeHead } from "../../../net/forms/http_head.ts";
import type { ClientSink } from "./client_sink.ts";
import { isStream, type Reply } from "./reply.ts";
import { writePieces } from "./write_pieces.ts";

/** How {@linkcode writeReply} writes. */
export interface WriteOptions {
  sink: ClientSink;
  /** Another request may follow on the connection. */
  keeps: boolean;
  /** The client wants the head alone. */
  isHead: boolean;
  /** The server ends. */
  closing: AbortSignal;
  /** The client is gone. */
  gone: AbortSignal;
}

/** What {@linkcode STATUS_WORDS} lacks needs no words. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
/** So short a body goes with its head. */
const SHORT = 16 * 1024;

/** Makes the bytes before a body. */
export function replyHead(
  { status, headers }: Pick<Reply, "status" | "headers">,
  length: number | "chunked" | "close",
  keeps: boolean,
): Uint8Array<ArrayBuffer> {
  return writeHead(`HTTP/1.1 ${status} ${STATUS_WORDS[status] ?? ""}`, [
    ...Object.entries(headers).filter(([name, value]) => isHeader(name, value)),
    ["date", new Date().toUTCString()],
    ...(length === "chunked" ? [["transfer-encoding", "chunked"] as const] : []),
    ...(typeof length === "number" && status !== 204 && status !== 304
      ? [["content-length", String(length)] as const]
      : []),
    ...(keeps ? [] : [["connection", "close"] as const]),
  ]);
}

/** What could end its line is no header. */
function isHeader(name: string, value: string): boolean {
  return /^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
}

/**
 * Writes an answer.
 *
 * @returns Whether another request may follow
 */
export async function writeReply(reply: Reply, options: WriteOptions): Promise<boolean> {
  const { sink, keeps, isHead } = options;
  const { body } = reply;
  if (isStream(body)) {
    try {
      await sink.write(replyHead(reply, keeps ? "chunked" : "close", keeps));
    } catch (error) {
      body.cancel();
      throw error;
    }
    if (!isHead) return await writePieces(reply, body, options);
    body.cancel();
    return keeps;
  }
  const head = replyHead(reply, body.length, keeps);
  if (isHead || body.length === 0) await sink.write(head);
  else if (body.length <= SHORT) {
    const all = new Uint8Array(head.length + body.length);
    all.set(head);
    all.set(body, head.length);
    await sink.write(all);
  } else {
    await sink.write(head);
    await sink.write(body);
  }
  return keeps;
}
