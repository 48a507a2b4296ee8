import {
  isInitializeRequest,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport as HttpTransport,
} from "@modelcontextprotocol/server";

import { EventLog } from "./event_log.ts";
import { refuseRequest } from "./http_guard.ts";

/** Most clients with sessions at once. */
const MAX_SESSIONS = 32;
/** A session of which nothing was heard for so long makes room for others, in milliseconds. */
const STALE_MS = 60_000;
/** A session of which nothing was heard for so long ends, in milliseconds. */
const IDLE_MS = 60 * 60_000;
/** How soon a client is asked to come back after its stream ended, in milliseconds. */
const RETRY_MS = 1_000;

interface Session {
  transport: HttpTransport;
  server: Server;
  /** When it was heard of last. */
  heard: number;
}

/** The clients of the older era: each has a session, with a server of its own. */
export class HttpSessions {
  readonly #build: (connection: string, context: McpRequestContext) => Server;
  readonly #onEnd: (connection: string) => void;
  readonly #all = new Map<string, Session>();
  readonly #sweeper: ReturnType<typeof setInterval>;

  /**
   * @param build Makes the server of a session
   * @param onEnd Called once a session has ended
   */
  constructor(
    build: (connection: string, context: McpRequestContext) => Server,
    onEnd: (connection: string) => void,
  ) {
    this.#build = build;
    this.#onEnd = onEnd;
    this.#sweeper = setInterval(() => this.#sweep(IDLE_MS), STALE_MS);
  }

  async fetch(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#all.get(id);
      if (!session) return refuseRequest(404, "this session has ended or never was: initialize anew", -32001);
      session.heard = Date.now();
      return await session.transport.handleRequest(request, { parsedBody });
    }
    if (request.method !== "POST" || !isInitializeRequest(parsedBody)) {
      return refuseRequest(400, "the header Mcp-Session-Id is missing: initialize first");
    }
    if (this.#all.size >= MAX_SESSIONS) this.#sweep(STALE_MS);
    if (this.#all.size >= MAX_SESSIONS) {
      return refuseRequest(503, `there are ${MAX_SESSIONS} sessions: end one of them`);
    }
    const { transport, server } = await this.#begin(request);
    const response = await transport.handleRequest(request, { parsedBody });
    // Nobody knows the name of a session that was refused.
    if (!response.ok) await server.close();
    return response;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled(Array.from(this.#all.values(), ({ server }) => server.close()));
  }

  async #begin(requestInfo: Request): Promise<Session> {
    const id = crypto.randomUUID();
    const transport = new HttpTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
      onsessionclosed: () => this.#end(id),
    });
    const server = this.#build(id, { era: "legacy", requestInfo });
    server.onclose = () => this.#end(id);
    const session = { transport, server, heard: Date.now() };
    // It counts before anything is awaited: others begin at the same moment.
    this.#all.set(id, session);
    try {
      await server.connect(transport);
    } catch (error) {
      this.#end(id);
      throw error;
    }
    return session;
  }

  #end(id: string): void {
    if (this.#all.delete(id)) this.#onEnd(id);
  }

  #sweep(unheardMs: number): void {
    const limit = Date.now() - unheardMs;
    for (const { server, heard } of [...this.#all.values()]) {
      if (heard < limit) server.close().catch(() => {});
    }
  }
}
