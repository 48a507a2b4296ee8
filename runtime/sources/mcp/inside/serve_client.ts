import { ToolError } from "../../../../schemas/error.ts";
import type { FromClient, ToClient } from "../wire/protocol.ts";
import type { KeptLogin } from "../wire/remote_way.ts";
import { askServer } from "./ask_server.ts";
import { connect, type ServerConnection } from "./connect.ts";
import { toError } from "./failures.ts";
import { Questions } from "./questions.ts";

/** The part of a worker's global scope that a client uses. */
export interface ClientScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromClient): void;
  close(): void;
}

/** Speaks with one server: the whole life of the client's worker. */
export function serveClient(scope: ClientScope): void {
  const client = new ServedClient(scope);
  scope.onmessage = ({ data, ports: [port] }: MessageEvent<ToClient>) => client.receive(data, port);
}

class ServedClient {
  readonly #scope: ClientScope;
  readonly #questions: Questions;
  readonly #asks = new Map<number, AbortController>();
  #connection: ServerConnection | undefined;
  #returning: PromiseWithResolvers<string> | undefined;
  #holding: PromiseWithResolvers<KeptLogin | null> | undefined;

  constructor(scope: ClientScope) {
    this.#scope = scope;
    this.#questions = new Questions((message) => scope.postMessage(message));
  }

  receive(message: ToClient, port: MessagePort | undefined): void {
    if (message.t === "open") this.#open(message, port);
    else if (message.t === "message") this.#connection?.take(message.bytes);
    else if (message.t === "ended") this.#connection?.end();
    else if (message.t === "ask") this.#ask(message);
    else if (message.t === "cancel") this.#asks.get(message.id)?.abort();
    else if (message.t === "roots") this.#connection?.tellRoots();
    else if (message.t === "returned") this.#return(message);
    else if (message.t === "held") this.#holding?.resolve(message.kept);
    else if (message.t === "close") this.#close();
    else this.#questions.receive(message);
  }

  async #open({ settings }: ToClient & { t: "open" }, port: MessagePort | undefined): Promise<void> {
    try {
      this.#connection = connect(settings, {
        post: (message) => this.#scope.postMessage(message),
        questions: this.#questions,
        port,
        authorize: (url) => this.#authorize(url),
        hold: () => this.#hold(),
      });
      const server = await this.#connection.opened;
      this.#scope.postMessage({ t: "opened", server });
    } catch (error) {
      this.#scope.postMessage({ t: "unopened", error: toError(error, this.#connection?.mask).toInfo() });
    }
  }

  async #ask({ id, ask, wantsProgress }: ToClient & { t: "ask" }): Promise<void> {
    const cancel = new AbortController();
    this.#asks.set(id, cancel);
    try {
      const client = this.#connection?.client;
      if (client === undefined) throw new ToolError("unavailable", "the server is not connected");
      const answer = await askServer(client, ask, {
        signal: cancel.signal,
        ...wantsProgress &&
          { onProgress: (progress) => this.#scope.postMessage({ t: "progress", id, progress }) },
      });
      this.#scope.postMessage({ t: "answer", id, answer });
    } catch (error) {
      this.#scope.postMessage({ t: "failed", id, error: toError(error, this.#connection?.mask).toInfo() });
    } finally {
      this.#asks.delete(id);
    }
  }

  #authorize(url: string): Promise<string> {
    this.#returning = Promise.withResolvers<string>();
    this.#scope.postMessage({ t: "authorize", url });
    return this.#returning.promise;
  }

  #hold(): Promise<KeptLogin | null> {
    this.#holding = Promise.withResolvers<KeptLogin | null>();
    this.#scope.postMessage({ t: "hold" });
    return this.#holding.promise;
  }

  #return({ query, why }: ToClient & { t: "returned" }): void {
    if (query !== null) this.#returning?.resolve(query);
    else this.#returning?.reject(new ToolError("unauthenticated", why));
  }

  async #close(): Promise<void> {
    await this.#connection?.client?.close().catch(() => {});
    this.#scope.postMessage({ t: "closed" });
    this.#scope.close();
  }
}
