import {
  isInitializeRequest,
  type JSONRPCMessage,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

import { ToolError } from "../../../../../schemas/error.ts";
import type { GateFetch } from "../../../../net/port/fetch_over_port.ts";
import { mapTexts } from "../../../../text/map_texts.ts";
import { headerSecrets, makeMasker } from "../../../../text/secrets/redact.ts";
import type { RemoteWay } from "../../wire/remote_way.ts";
import { WaitingAnswers } from "./answers.ts";
import { boundedFetch } from "./bounded_fetch.ts";
import { Login, loginAt, type LoginParts } from "./login.ts";
import { readableFetch } from "./readable_fetch.ts";
import { renewingFetch } from "./renewing_fetch.ts";

/** What a remote transport is made with. */
export interface RemoteParts extends LoginParts {
  fetch: GateFetch;
  /** The server knows this session no longer, or its stream broke: a new connection is needed. */
  lost(why: string): void;
}

/** An answer that breaks off is asked for again: so often, and with these pauses in milliseconds. */
const RESUMING = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 4,
};
/** The code of an error of our own: the answer has no end. */
const BROKEN_OFF = -32000;
/** The detail of an error that says that the server has done nothing with the request. */
const NOT_TAKEN = "not_taken";
/** How long a server may take to hear that its session is over, in milliseconds. */
const GOODBYE_MS = 300;

/** Messages to a remote server and from it. No secret of its configuration or its login is in what it says. */
export class RemoteTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #way: RemoteWay;
  readonly #parts: RemoteParts;
  readonly #fetch: GateFetch;
  readonly #auth: ReturnType<typeof loginAt>;
  readonly #answers = new WaitingAnswers();
  #inner: StreamableHTTPClientTransport | SSEClientTransport;
  #isClosed = false;
  #isOpen = false;
  /** Why the last request failed that did. */
  #failure: ToolError | null = null;
  #masked: { secrets: string; mask: (text: string) => string } | undefined;

  constructor(way: RemoteWay, parts: RemoteParts) {
    this.#way = way;
    this.#parts = parts;
    const bounded = boundedFetch(parts.fetch, { ...way, onFailure: (error) => this.#failure = error });
    const fetch = readableFetch(bounded, this.#answers);
    this.#auth = loginAt(way, parts);
    this.#fetch = this.#auth instanceof Login ? renewingFetch(fetch, this.#auth) : fetch;
    this.#inner = way.transport === "sse" ? this.#sse() : this.#streamable();
  }

  get hasPerRequestStream(): boolean {
    return this.#inner instanceof StreamableHTTPClientTransport;
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  setProtocolVersion(version: string): void {
    this.#isOpen = true;
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    await this.#authorized(() => this.#inner.start());
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    try {
      this.#answers.sent(message);
      await this.#authorized(() =>
        (this.#inner as Transport).send(message, this.#heardOut(message, options))
      );
    } catch (error) {
      this.#answers.ended(message);
      if (this.#isOlder(error, message)) return await this.#fallBack(message);
      if (!this.#isForgotten(error)) throw error;
      const why = "it does not know this session any more";
      // Who sent this hears first that nothing was done with it; all others only that no answer will come.
      setTimeout(() => this.#lose(why));
      throw new ToolError("unavailable", why, { details: { [NOT_TAKEN]: true }, cause: error });
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const inner = this.#inner;
    if (inner instanceof StreamableHTTPClientTransport && inner.sessionId !== undefined) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, GOODBYE_MS);
      await Promise.race([inner.terminateSession().catch(() => {}), late]);
      clearTimeout(timer);
    }
    await inner.close();
    this.onclose?.();
  }

  /** Masks the secrets of the configuration and of the login. */
  mask(text: string): string {
    return this.#masker()(text);
  }

  /** Does something that may need a login; if the user logs in for it, it is done again. */
  async #authorized(work: () => Promise<void>): Promise<void> {
    try {
      return await work();
    } catch (error) {
      const params = error instanceof UnauthorizedError && this.#auth instanceof Login
        ? await this.#auth.returned()
        : null;
      if (params === null) throw error instanceof SseError && this.#failure !== null ? this.#failure : error;
      await this.#inner.finishAuth(params);
    }
    // The event stream of the older transport cannot be started twice.
    if (this.#inner instanceof SSEClientTransport) this.#inner = this.#sse();
    await work();
  }

  /** A request whose answer breaks off fails: in the older era, nobody else notices. */
  #heardOut(
    message: JSONRPCMessage,
    options: TransportSendOptions | undefined,
  ): TransportSendOptions | undefined {
    if (!("method" in message && "id" in message) || options?.onRequestStreamEnd !== undefined) {
      return options;
    }
    const { id } = message;
    const onRequestStreamEnd = () => {
      const why = this.#failure?.message ?? "the answer broke off";
      this.#inner.onmessage?.({ jsonrpc: "2.0", id, error: { code: BROKEN_OFF, message: why } });
    };
    return { ...options, onRequestStreamEnd };
  }

  /** A server of the older transport does not know what the newer one begins with. */
  #isOlder(error: unknown, message: JSONRPCMessage): boolean {
    return this.#way.transport === "either" && this.hasPerRequestStream && isInitializeRequest(message) &&
      error instanceof SdkHttpError && error.status !== undefined && error.status >= 400 &&
      error.status < 500 &&
      ![401, 403, 429].includes(error.status);
  }

  async #fallBack(message: JSONRPCMessage): Promise<void> {
    const streamable = this.#inner;
    this.#inner = this.#sse();
    streamable.onclose = () => {};
    await streamable.close();
    await this.start();
    await this.send(message);
  }

  /** 404 is what the protocol says; many servers that were started anew answer 400. */
  #isForgotten(error: unknown): boolean {
    return this.#isOpen && this.sessionId !== undefined && error instanceof SdkHttpError &&
      (error.status === 404 || error.status === 400);
  }

  #lose(why: string): void {
    if (!this.#isClosed) this.#parts.lost(why);
  }

  #streamable(): StreamableHTTPClientTransport {
    return this.#heard(
      new StreamableHTTPClientTransport(new URL(this.#way.url), {
        authProvider: this.#auth,
        fetch: this.#fetch,
        reconnectionOptions: RESUMING,
      }),
    );
  }

  #sse(): SSEClientTransport {
    const transport = new SSEClientTransport(new URL(this.#way.url), {
      authProvider: this.#auth,
      fetch: this.#fetch,
    });
    return this.#heard(transport);
  }

  #heard<T extends StreamableHTTPClientTransport | SSEClientTransport>(transport: T): T {
    transport.onmessage = (message) => {
      this.onmessage?.(this.#secrets().length === 0 ? message : mapTexts(message, this.#masker()));
    };
    transport.onerror = (error) => {
      // Its stream would begin anew, as another session.
      if (this.#isOpen && transport instanceof SSEClientTransport && transport === this.#inner) {
        this.#lose("its stream of events broke off");
      }
      this.onerror?.(error);
    };
    return transport;
  }

  #secrets(): string[] {
    const ofLogin = this.#auth instanceof Login ? this.#auth.secrets : [];
    return [...headerSecrets(this.#way.headers), ...this.#way.secrets, ...ofLogin];
  }

  #masker(): (text: string) => string {
    const secrets = this.#secrets();
    const key = JSON.stringify(secrets);
    if (this.#masked?.secrets !== key) this.#masked = { secrets: key, mask: makeMasker(secrets) };
    return this.#masked.mask;
  }
}

/** Returns the error of a server that answered with a status of HTTP; `null` for any other. */
export function httpError(error: unknown): ToolError | null {
  if (error instanceof UnauthorizedError) return new ToolError("unauthenticated", "it wants a login");
  if (!(error instanceof SdkHttpError) || error.status === undefined) return null;
  const { status } = error;
  const { text } = error.data as { text?: unknown };
  const said = typeof text === "string" && text.trim() !== "" ? `: ${text.trim().slice(0, 500)}` : "";
  const message = `it answered with the HTTP status ${status}${said}`;
  const details = { status };
  if (status === 401 || status === 403) return new ToolError("unauthenticated", message, { details });
  if (status === 429) return new ToolError("rate_limited", message, { details });
  return new ToolError("external_failure", message, { retryable: status >= 500, details });
}
