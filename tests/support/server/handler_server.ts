import { z } from "zod";

import type { Handlers } from "../../../runtime/server/answer.ts";
import { CHAT_OPERATIONS } from "../../../runtime/server/api/chat_operations.ts";
import type { Operation } from "../../../runtime/server/api/operation.ts";
import { type ErrorCode, ToolError } from "../../../schemas/error.ts";

const TOKEN = "a-token";
const STATUSES: Partial<Record<ErrorCode, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
};

/** A server of handlers on this machine, with the token `a-token`. */
export interface HandlerServer extends AsyncDisposable {
  url: string;
}

/** Serves handlers of {@linkcode CHAT_OPERATIONS} as the real server does, as far as their tests need it. */
export function serveHandlers(handlers: Handlers): HandlerServer {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (received) => {
    const { pathname } = new URL(received.url);
    for (const operation of CHAT_OPERATIONS) {
      const params = paramsOf(operation, received.method, pathname);
      if (params === null) continue;
      try {
        return await answer(operation, handlers, received, params);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        const { code, message } = error;
        const told = { error: { message, type: "invalid_request_error", param: null, code } };
        return Response.json(operation.errors === "detail" ? { detail: message } : told, {
          status: STATUSES[code] ?? 500,
        });
      }
    }
    return Response.json({ error: { message: "There is no such path" } }, { status: 404 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function answer(
  { id, body: schema }: Operation,
  handlers: Handlers,
  received: Request,
  params: Record<string, string>,
): Promise<Response> {
  if (received.headers.get("authorization") !== `Bearer ${TOKEN}`) {
    throw new ToolError("unauthenticated", "The token is missing");
  }
  const parsed = schema?.safeParse(await received.json());
  if (parsed?.success === false) throw new ToolError("invalid_input", z.prettifyError(parsed.error));
  const gone = new AbortController();
  const asked = {
    params,
    query: {},
    body: parsed?.data,
    headers: toldHeaders(received),
    client: "127.0.0.1",
  };
  const { status = 200, headers = {}, json, stream } = await handlers[id]!({ ...asked, signal: gone.signal });
  if (stream === undefined) return Response.json(json, { status, headers });
  const pieces = stream.pieces[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    cancel() {
      gone.abort();
      pieces.return?.();
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status, headers: { ...headers, "content-type": stream.type } });
}

function toldHeaders({ headers }: Request): Record<string, string> {
  const client = headers.get("x-client-id");
  return client === null ? {} : { "x-client-id": client };
}

function paramsOf(
  { method, path }: Operation,
  asked: string,
  pathname: string,
): Record<string, string> | null {
  if (asked !== method) return null;
  const pattern = new URLPattern({ pathname: path.replaceAll(/\{(\w+)\}/g, ":$1") });
  const { groups } = pattern.exec({ pathname })?.pathname ?? {};
  if (groups === undefined) return null;
  return Object.fromEntries(
    Object.entries(groups).map(([name, value = ""]) => [name, decodeURIComponent(value)]),
  );
}
