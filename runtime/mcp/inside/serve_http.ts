import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type Server,
} from "@modelcontextprotocol/server";

import { type ServerParts, tellClient } from "./build_server.ts";
import { guardRequest, refuseRequest } from "./http_guard.ts";
import { HttpSessions } from "./http_sessions.ts";
import { MAX_MESSAGE_BYTES, readClientMessage, UnreadableMessage } from "./read_message.ts";

/** What a server over HTTP is made of. */
export interface HttpParts {
  /** 0 for any that is free. */
  port: number;
  token: string | null;
  build(connection: string, context: McpRequestContext, tellChange: ServerParts["tellChange"]): Server;
  /** Called once a session has ended. */
  onEnd(connection: string): void;
}

/** A server that listens. */
export interface HttpServer {
  port: number;
  close(): Promise<void>;
}

/** The connection of all clients of the newer era: they have no sessions. */
const SHARED = "shared";
/** Most requests that are answered at once, streams apart. */
const MAX_REQUESTS = 256;

/**
 * Serves both eras of the protocol over Streamable HTTP, on loopback. Needs `net` for the port.
 */
export function serveHttp({ port, token, build, onEnd }: HttpParts): HttpServer {
  const sessions = new HttpSessions(
    (connection, context) => build(connection, context, tellClient),
    onEnd,
  );
  const modern = createMcpHandler(
    (context) =>
      build(SHARED, context, (_server, what) => {
        if (what === "resources") modern.notify.resourcesChanged();
        else if (what === "tools") modern.notify.toolsChanged();
        else modern.notify.promptsChanged();
      }),
    { legacy: "reject" },
  );
  let running = 0;
  const answer = async (request: Request): Promise<Response> => {
    const refused = guardRequest(request, { port: address.port, token });
    if (refused) return refused;
    if (running >= MAX_REQUESTS) return refuseRequest(503, "too many requests at once");
    running++;
    try {
      const body = request.method === "POST" ? await readBody(request) : undefined;
      if (body instanceof Response) return body;
      const isLegacy = await isLegacyRequest(request, body);
      return isLegacy
        ? await sessions.fetch(request, body)
        : await modern.fetch(request, { parsedBody: body });
    } finally {
      running--;
    }
  };
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port,
    onListen: () => {},
    onError: () => refuseRequest(500, "the request could not be answered"),
  }, answer);
  const address = server.addr as Deno.NetAddr;
  return {
    port: address.port,
    async close() {
      await sessions.close();
      await modern.close();
      await server.shutdown();
    },
  };
}

/** The body as a value, or what is wrong with it. */
async function readBody(request: Request): Promise<unknown> {
  const tooLong = () => refuseRequest(413, `a message has at most ${MAX_MESSAGE_BYTES} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > MAX_MESSAGE_BYTES) return tooLong();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    // What is left of it is not read.
    if (length > MAX_MESSAGE_BYTES) return tooLong();
    chunks.push(chunk);
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return readClientMessage(
      chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode(),
    );
  } catch (error) {
    return refuseRequest(
      400,
      error instanceof UnreadableMessage ? error.message : "the body is not UTF-8",
      -32700,
    );
  }
}
