import { ToolError } from "../../../schemas/error.ts";
import { GateFailure } from "../dial/gate_failure.ts";
import { ANSWER_HEADERS, GATE_HEADERS } from "../forms/gate_headers.ts";
import {
  type AnswerHead,
  answerLength,
  type HeaderLine,
  headerOf,
  headersToPass,
  parseAnswerHead,
  readHead,
  writeHead,
} from "../forms/http_head.ts";
import { piecesOf } from "../forms/pass_body.ts";
import { gateError } from "../room/web_error.ts";
import { decodeBody, type Pieces } from "../wire/decode_body.ts";
import { writeAll } from "../wire/streams.ts";
import { Wire } from "../wire/wire.ts";
import { PortConn } from "./port_conn.ts";

/** A worker's way to the gate. Plain data, but for the port. */
export interface FetchPort {
  port: MessagePort;
  /** What each request carries. */
  token: string;
}

/** Asks for a URL, as `fetch` does, and follows no redirect. */
export type GateFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Makes a `fetch` that goes through the gate: for a worker without any permission. What the gate refuses is thrown as a
 * `ToolError` that names the flag. A body is unpacked, in small steps, while it is read.
 *
 * @param way The gate's port; it is used up by this
 */
export function fetchOverPort({ port, token }: FetchPort): GateFetch {
  return async (url, init = {}) => {
    const { signal } = init;
    signal?.throwIfAborted();
    const { port1, port2 } = new MessageChannel();
    const conn = new PortConn(port1);
    port.postMessage(null, [port2]);
    const leave = () => conn.close();
    signal?.addEventListener("abort", leave, { once: true });
    const end = () => {
      signal?.removeEventListener("abort", leave);
      conn.close();
    };
    const request = { url: String(url), method: (init.method ?? "GET").toUpperCase(), init, token };
    try {
      return await ask(request, { conn, end });
    } catch (error) {
      end();
      throw problemOf(error, request.url, signal);
    }
  };
}

/** A request, and what it carries. */
interface PortRequest {
  url: string;
  method: string;
  init: RequestInit;
  token: string;
}

async function ask(
  { url, method, init, token }: PortRequest,
  { conn, end }: { conn: PortConn; end: () => void },
): Promise<Response> {
  const nonce = crypto.randomUUID();
  // A body of the web knows its own media type.
  const request = new Request(
    "http://gate.invalid/",
    { method, headers: init.headers, body: init.body } as RequestInit,
  );
  const body = await request.bytes();
  const head: HeaderLine[] = [
    ["accept-encoding", "gzip"],
    ...[...request.headers].filter(([name]) => name !== "accept-encoding"),
    [GATE_HEADERS.url, URL.parse(url)?.href ?? url],
    [GATE_HEADERS.token, token],
    [GATE_HEADERS.nonce, nonce],
    ...(init.body === undefined || init.body === null
      ? []
      : [["content-length", String(body.length)] as const]),
  ];
  await writeAll(conn, writeHead(`${method} / HTTP/1.1`, head));
  const wire = new Wire(conn);
  // A server may answer before it has read all of it, and refuse the rest.
  writeAll(conn, body).catch(() => {});
  const text = await readHead(wire);
  const answer = text === null ? null : parseAnswerHead(text);
  const length = answer && answerLength(answer, method);
  if (answer === null || length === null) {
    throw new GateFailure("connect", "it gave no answer that can be read");
  }
  const pieces = decodeBody(
    piecesOf(wire, length),
    (headerOf(answer, "content-encoding") ?? "").toUpperCase(),
  );
  if (headerOf(answer, ANSWER_HEADERS.nonce) === nonce) {
    throw gateError(url, new Headers(answer.headers as [string, string][]), (await textOf(pieces)).trim());
  }
  const { status } = answer;
  if (length === 0 || BODILESS.has(status)) {
    end();
    return new Response(BODILESS.has(status) ? null : "", { status, headers: passed(answer) });
  }
  return new Response(streamOf(pieces, { url, signal: init.signal, end }), {
    status,
    headers: passed(answer),
  });
}

/** What told the form of the body holds no longer. */
function passed(answer: AnswerHead): [string, string][] {
  return headersToPass(answer).filter(([name]) => name !== "content-encoding") as [string, string][];
}

/** Reads only what is asked for. */
function streamOf(
  pieces: Pieces,
  { url, signal, end }: { url: string; signal: AbortSignal | null | undefined; end: () => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(problemOf(error, url, signal));
      }
    },
    cancel: end,
  }, { highWaterMark: 0 });
}

async function textOf(pieces: Pieces): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return text;
}

function problemOf(error: unknown, url: string, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ToolError) return error;
  const host = URL.parse(url)?.host ?? url;
  const why = error instanceof Error ? error.message : String(error);
  return new ToolError("external_failure", `The connection to ${host} broke off: ${why}`, { cause: error });
}
