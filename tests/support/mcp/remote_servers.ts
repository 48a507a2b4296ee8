import {
  createMcpHandler,
  isInitializeRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport as HttpTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";

import { makeGate } from "../../../runtime/net/open_gate.ts";
import { CallTime } from "../../../runtime/sources/mcp/client/call_time.ts";
import { type ClientPlan, ServerLink } from "../../../runtime/sources/mcp/client/server_link.ts";
import type { RemotePlan } from "../../../runtime/sources/mcp/client/remote_plan.ts";
import type { KeptLogin, RemoteWay } from "../../../runtime/sources/mcp/wire/remote_way.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { NetRules } from "../../../schemas/net.ts";
import { DIRECT, onlyTo, testServer } from "../net/gate_scene.ts";

/** What a tool of the server hears of the request that called it. */
export type Heard = (request: Request) => void;

/** Makes a server with a few tools, in the library's own words. */
export function smallServer(note: () => string = () => ""): McpServer {
  const server = new McpServer({ name: "small", version: "1" }, { instructions: "Be small." });
  server.registerTool("echo", { inputSchema: z.object({ message: z.string() }) }, ({ message }) => ({
    content: [{ type: "text", text: `${message}${note()}` }],
  }));
  server.registerTool("slow", { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2, message: "half" },
      });
    }
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve()));
    return { content: [] };
  });
  return server;
}

/** Serves both eras over Streamable HTTP; those of the older era with sessions. */
export function streamableServer({ before = () => null, note, only }: {
  before?: (request: Request) => Response | null | Promise<Response | null>;
  note?: () => string;
  only?: "legacy" | "modern";
} = {}) {
  const sessions = new Map<string, HttpTransport>();
  const modern = createMcpHandler(() => smallServer(note), only === "modern" ? { legacy: "reject" } : {});
  const legacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      return await sessions.get(id)?.handleRequest(request) ?? new Response("no session", { status: 404 });
    }
    const parsedBody = request.method === "POST" ? await request.json() : undefined;
    if (!isInitializeRequest(parsedBody)) return new Response("no session", { status: 400 });
    const transport = new HttpTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await smallServer(note).connect(transport);
    return await transport.handleRequest(request, { parsedBody });
  };
  const server = testServer(async (request) => {
    const first = await before(request);
    if (first !== null) return first;
    if (new URL(request.url).pathname !== "/mcp") return new Response("nothing here", { status: 404 });
    return only === "legacy" ? await legacy(request) : await modern.fetch(request);
  });
  return {
    ...server,
    mcp: `${server.url}/mcp`,
    sessions,
    [Symbol.asyncDispose]: async () => {
      for (const transport of sessions.values()) await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A server of the transport that came before: a stream of events, and a place for messages. */
export function sseServer() {
  let send = (_event: string, _data: string) => {};
  let drop = () => {};
  const server = testServer(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/sse" && request.method === "GET") {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          send = (event, data) =>
            controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${data}\n\n`));
          drop = () => controller.error(new Error("dropped"));
          send("endpoint", "/message?id=1");
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    if (pathname !== "/message") return new Response("no such method", { status: 405 });
    const { id, method, params } = await request.json();
    if (id !== undefined) {
      send("message", JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method, params) }));
    }
    return new Response("Accepted", { status: 202 });
  });
  return { ...server, sse: `${server.url}/sse`, drop: () => drop() };
}

function answerTo(method: string, params: { name?: string; arguments?: { message?: string } }) {
  if (method === "initialize") {
    const serverInfo = { name: "old", version: "1" };
    return { result: { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo } };
  }
  if (method === "tools/list") {
    return { result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } };
  }
  if (method === "tools/call") {
    return { result: { content: [{ type: "text", text: params.arguments?.message ?? "" }] } };
  }
  return { error: { code: -32601, message: "no such method" } };
}

/** A gate, and links to remote servers through it. */
export function remoteScene(
  host: string,
  { rules = onlyTo(host), way, kept = { clients: {}, tokens: null }, authorize, plan: more }: {
    rules?: NetRules;
    plan?: Partial<ClientPlan>;
    way?: Partial<RemoteWay>;
    kept?: KeptLogin;
    authorize?: (url: string) => Promise<string>;
  } = {},
) {
  const gate = makeGate({ upstream: DIRECT });
  const told: KeptLogin[] = [];
  const { signal } = new AbortController();
  const plan = (url: string): RemotePlan => ({
    way: {
      kind: "remote",
      transport: "either",
      url,
      headers: {},
      secrets: [],
      login: {},
      redirectUrl: null,
      loginHint: "log in",
      ...way,
    },
    door: () => gate.portDoor({ who: "mcp/test", rules, secrets: [] }),
    kept: () => Promise.resolve(told.at(-1) ?? kept),
    keep: (kept) => Promise.resolve(void told.push(kept)),
    hold: () => Promise.resolve(null),
    authorize: authorize ?? (() => Promise.reject(new ToolError("unauthenticated", "nobody is here"))),
  });
  const client = (url: string): ClientPlan => ({
    open: plan(url),
    offers: { sampling: false, elicitation: false },
    answer: ({ kind }) => Promise.reject(new ToolError("denied_by_policy", `no ${kind} here`)),
    onChanged() {},
    ...more,
  });
  return {
    gate,
    told,
    signal,
    plan: client,
    open: (url: string) => ServerLink.open(client(url), { signal }),
    [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose](),
  };
}

/** Calls `echo`, and returns its text. */
export async function echo(link: ServerLink, message: string): Promise<string> {
  const ask = { method: "tools/call", name: "echo", input: { message } } as const;
  const { signal } = new AbortController();
  const { content } = await link.ask(ask, { signal, time: new CallTime(10_000) }) as {
    content: { text: string }[];
  };
  return content.map(({ text }) => text).join("");
}
