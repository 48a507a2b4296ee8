import { ToolError } from "../../../schemas/error.ts";
import type {
  CallAnswer,
  CallProgress,
  ClientCall,
  ConnectionId,
  FromServer,
  ResourceContent,
  ServedResource,
  ToServer,
} from "../protocol.ts";

/** Options of {@linkcode MainLink.call}. */
export interface LinkedCallOptions {
  signal: AbortSignal;
  onProgress?: (progress: CallProgress) => void;
}

/** How a call ended. */
export interface LinkedAnswer {
  answer: CallAnswer;
  /** It left files: the resources of its connection are others now. */
  leaves: boolean;
}

/** Most calls that wait or run; what comes beyond is refused at once. */
const MAX_CALLS = 256;
/** Most characters in the arguments of them all. */
const MAX_INPUTS = 64 * 1024 * 1024;

interface Pending {
  settle: PromiseWithResolvers<ToServer>;
  onProgress: ((progress: CallProgress) => void) | undefined;
}

/** The way to main, where calls run. */
export class MainLink {
  readonly #post: (message: FromServer) => void;
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  #places = 0;
  /** Characters in the arguments of all calls that wait or run. */
  #inputs = 0;

  constructor(post: (message: FromServer) => void) {
    this.#post = post;
  }

  /**
   * Takes a place for a call, for its whole time: also while its client is asked for its roots.
   *
   * @returns `null` if there are too many calls, or too much is in them
   */
  takePlace(input: unknown): Disposable | null {
    const size = JSON.stringify(input ?? null).length;
    if (this.#places >= MAX_CALLS || this.#inputs + size > MAX_INPUTS) return null;
    this.#places++;
    this.#inputs += size;
    return {
      [Symbol.dispose]: () => {
        this.#places--;
        this.#inputs -= size;
      },
    };
  }

  /** Takes an answer of main. */
  receive(message: ToServer): void {
    if (!("id" in message)) return;
    const pending = this.#pending.get(message.id);
    if (message.t === "progress") return pending?.onProgress?.(message.progress);
    this.#pending.delete(message.id);
    if (message.t !== "failed") return pending?.settle.resolve(message);
    const { code, message: text, retryable, details } = message.error;
    pending?.settle.reject(new ToolError(code, text, { retryable, details }));
  }

  /**
   * Runs a call.
   *
   * @throws {ToolError} If it could not begin; what the tool says is an answer
   */
  async call(call: ClientCall, { signal, onProgress }: LinkedCallOptions): Promise<LinkedAnswer> {
    signal.throwIfAborted();
    const id = this.#next();
    const onAbort = () => this.#post({ t: "cancel", id });
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const answer = await this.#ask(id, { t: "call", id, call }, onProgress);
      if (answer.t !== "answer") throw unexpected(answer);
      return answer;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Lists the files that calls of the connection left. */
  async resources(connection: ConnectionId): Promise<readonly ServedResource[]> {
    const id = this.#next();
    const answer = await this.#ask(id, { t: "list", id, connection });
    if (answer.t !== "resources") throw unexpected(answer);
    return answer.resources;
  }

  /** Reads one of them; `null` if the URI is none of the connection's, or its file is gone. */
  async read(connection: ConnectionId, uri: string): Promise<ResourceContent | null> {
    const id = this.#next();
    const answer = await this.#ask(id, { t: "read", id, connection, uri });
    if (answer.t !== "content") throw unexpected(answer);
    return answer.content;
  }

  /** Says that a connection has ended. */
  end(connection: ConnectionId): void {
    this.#post({ t: "ended", connection });
  }

  /** Says something to the user who started the server. */
  warn(message: string): void {
    this.#post({ t: "warning", message });
  }

  #next(): number {
    return ++this.#asked;
  }

  async #ask(
    id: number,
    message: FromServer,
    onProgress?: (progress: CallProgress) => void,
  ): Promise<ToServer> {
    const settle = Promise.withResolvers<ToServer>();
    this.#pending.set(id, { settle, onProgress });
    this.#post(message);
    return await settle.promise;
  }
}

function unexpected(answer: ToServer): ToolError {
  return new ToolError("internal", `Main answered with "${answer.t}"`);
}
