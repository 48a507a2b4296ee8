import { ToolError } from "../../../schemas/error.ts";
import type { ErrorForm, Operation } from "../api/operation.ts";
import { TOLD_HEADERS } from "../contract/protocol.ts";
import type { Asks, MainAnswer } from "./asks.ts";
import { checkBodyType, checkInput, parseBody, parseQuery } from "./check_input.ts";
import {
  answerPreflight,
  checkCaller,
  checkToken,
  corsHeaders,
  gateAt,
  letIn,
  type ServerGate,
} from "./guard.ts";
import { type PageFile, pageReply } from "./page_reply.ts";
import type { Found, OperationRoute, Routes } from "./routes.ts";
import { headersOfBytes, SAFE_HEADERS } from "./safe_headers.ts";
import { tokenPage, wantsPage } from "./token_page.ts";
import { HttpFailure } from "./wire/http_failure.ts";
import { type HttpLimits, UNUSED_BODY_BYTES } from "./wire/http_limits.ts";
import { jsonReply, jsonTextReply, type Reply } from "./wire/reply.ts";
import type { HttpExchange } from "./wire/serve_connection.ts";
import { wordFailure } from "./word_failure.ts";

/** What requests are answered with. */
export interface RequestParts {
  gate: ServerGate;
  routes: Routes;
  asks: Asks;
  /** How many connections are open. */
  connections(): number;
  limits: HttpLimits;
  /** Answers that need nothing of main, by the id of their operation. */
  own: Readonly<Record<string, () => unknown>>;
  /** Reads a file of the page by its path; `null` if there is none. */
  page(path: string): Promise<PageFile | null>;
}

const GOODBYE = 'event: end\ndata: {"reason":"shutdown"}\n\n';

/** Answers a request, whatever goes wrong. */
export async function answerRequest(exchange: HttpExchange, parts: RequestParts): Promise<Reply> {
  const { request, local } = exchange;
  const gate = gateAt(parts.gate, local);
  const [path = "", query = ""] = split(request.target);
  let form: ErrorForm = path.startsWith("/v1/") ? "openai" : "bulkhead";
  let reply: Reply;
  let isKnown = false;
  try {
    checkCaller(request, gate);
    const stranger = strangerIn(request, gate);
    isKnown = stranger === null;
    const found = parts.routes.find(request.method, path);
    if (found.t !== "none") form = found.operation.errors ?? "bulkhead";
    reply = answerPreflight(request, gate) ??
      await answerFound(found, exchange, { ...parts, gate, path, query, stranger });
  } catch (error) {
    const failure = failureOf(error);
    reply = failure.status === 401 && wantsPage(request, path)
      ? await tokenPage(problemOf(query))
      : wordFailure(failure, form);
  }
  const headers = { ...SAFE_HEADERS, ...reply.headers, ...corsHeaders(request, gate) };
  // A stranger who takes no answers can hold only one, which fits into the memory of the system.
  return { ...reply, headers, isLast: !isKnown };
}

/** Why who asks is not known; `null` if that is known. */
function strangerIn(request: HttpExchange["request"], gate: ServerGate): HttpFailure | null {
  try {
    checkToken(request, gate);
    return null;
  } catch (error) {
    if (error instanceof HttpFailure) return error;
    throw error;
  }
}

/** What was shown instead of the token, if it was. */
function problemOf(query: string): string {
  const { token, code } = parseQuery(query);
  if (token !== undefined) return "The token is wrong.";
  return code === undefined ? "" : "This address was used already, or is older than a minute.";
}

/** Tells a failure of a request that was not understood. */
export function refuseUnread(failure: HttpFailure): Reply {
  const reply = wordFailure(failure, "bulkhead");
  return { ...reply, headers: { ...SAFE_HEADERS, ...reply.headers } };
}

function split(target: string): [path: string, query: string] {
  const at = target.indexOf("?");
  return at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
}

function failureOf(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof ToolError) return HttpFailure.from(error.toInfo());
  return HttpFailure.of(500, "The server could not answer: this is a defect of bulkhead");
}

interface Asking extends RequestParts {
  path: string;
  query: string;
  /** Why who asks is not known; `null` if that is known. */
  stranger: HttpFailure | null;
}

async function answerFound(found: Found, exchange: HttpExchange, parts: Asking): Promise<Reply> {
  const { gate, routes, path, query, stranger } = parts;
  const { request } = exchange;
  if (found.t === "route") {
    if (stranger && !found.operation.isOpen) throw stranger;
    return await answerRoute(found, exchange, parts);
  }
  const isRead = request.method === "GET" || request.method === "HEAD";
  const entered = path === "/" && isRead ? letIn(parseQuery(query), request, gate) : null;
  if (entered) return entered;
  if (stranger) throw stranger;
  const file = found.t === "none" && isRead ? await parts.page(path) : null;
  if (file) return await pageReply(request, file);
  if (found.t === "none") throw routes.lost(request.method, path);
  const allow = found.allow.join(", ");
  throw HttpFailure.of(405, `${request.method} is not for ${path}: use ${allow}`, { allow });
}

async function answerRoute(
  { operation, params }: OperationRoute,
  { request, client, gone, body: readBody }: HttpExchange,
  { asks, connections, limits, own, query: words }: Asking,
): Promise<Reply> {
  const query = operation.query ? checkInput(operation.query, parseQuery(words), "query") : {};
  if (operation.body) checkBodyType(request);
  const bytes = await readBody(operation.body ? limits.bodyBytes : UNUSED_BODY_BYTES);
  const body = operation.body
    ? checkInput(operation.body, parseBody(bytes), "body", operation.errors)
    : undefined;
  const answerOwn = own[operation.id];
  if (answerOwn) return jsonReply(operation.answer.status ?? 200, answerOwn());
  if (asks.count >= limits.requests) {
    throw HttpFailure.of(429, "The server answers too many requests at once: ask again later", {
      "retry-after": "1",
    });
  }
  const headers = Object.fromEntries(TOLD_HEADERS.flatMap((name) => {
    const value = request.headers.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
  const asked = { operation: operation.id, params, query, body, headers, client };
  const answer = await asks.ask({ ...asked, connections: connections() }, gone);
  return replyOf(answer, operation, asks);
}

function replyOf({ id, status, headers, body }: MainAnswer, operation: Operation, asks: Asks): Reply {
  if (body.kind === "json") return jsonTextReply(status, body.text, headers);
  if (body.kind === "empty") return { status, headers, body: new Uint8Array() };
  if (body.kind === "bytes") {
    return { status, headers: { ...headersOfBytes(body.type), ...headers }, body: body.bytes };
  }
  const isOurs = body.type === "text/event-stream" && (operation.errors ?? "bulkhead") === "bulkhead";
  return {
    status,
    headers: { "content-type": body.type, "x-accel-buffering": "no", ...headers },
    body: {
      next: () => asks.pull(id),
      cancel: () => asks.cancel(id),
      ...(isOurs && { goodbye: GOODBYE }),
    },
  };
}
