import { ToolError } from "../../schemas/error.ts";

/** A refusal by the server: its status and its message. */
export interface FetchRefusal {
  status: number;
  headers: Headers;
  body: string;
}

/** What {@linkcode WatchedFetch} needs to know. */
export interface WatchOptions {
  /** Is aborted when the server is silent for too long, and from outside. */
  abort: AbortController;
  /** Longest silence before and within an answer, in milliseconds. */
  idleTimeoutMs: number;
  /** Its name, for the hint of a message. */
  model: string;
}

/** Largest answer, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** How many bytes of a refusal are read. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_REDIRECTS = 3;
/** How long the rest may take once a reply is whole: its usage and its end mark, in milliseconds. */
const REST_MS = 5_000;
/** Bytes at the end of an answer in which its end mark is looked for. */
const TAIL_BYTES = 64;
const SECONDS = 1_000;

/**
 * One request and its answer over the network: bounded in bytes and in silence, and the key goes to no other server.
 * The answer's media type is what its first byte shows, not what the server says.
 */
export class WatchedFetch {
  /** The server's refusal, if there is one. */
  refusal: FetchRefusal | undefined;
  /** The server has begun to answer. */
  answered = false;
  readonly #options: WatchOptions;
  #idleMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #bytes = 0;
  #tail: Uint8Array<ArrayBuffer> = new Uint8Array();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#idleMs = options.idleTimeoutMs;
  }

  /** The last bytes were the mark that ends a stream. */
  get sawEnd(): boolean {
    return /data:\s*\[DONE\]\s*$/.test(new TextDecoder().decode(this.#tail));
  }

  /** Says that the reply is whole. The rest of the answer gets only a short time. */
  expectEnd(): void {
    this.#idleMs = Math.min(this.#idleMs, REST_MS);
    if (this.#timer !== undefined) this.#await();
  }

  /** Stops watching. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Takes the place of `fetch` in the client. */
  async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    this.#await();
    const response = await this.#follow(new URL(input instanceof Request ? input.url : input), init);
    this.close();
    this.answered = true;
    if (!response.ok) return await this.#refuse(response);
    if (!response.body) return response;
    return await this.#watch(response.body, response.status);
  }

  /** Follows a redirect only if method, body and server stay the same. */
  async #follow(url: URL, init: RequestInit): Promise<Response> {
    let at = url;
    for (let hops = 0;; hops++) {
      const { signal } = this.#options.abort;
      const response = await fetch(at, { ...init, redirect: "manual", signal });
      const location = response.headers.get("location");
      const to = location === null ? null : URL.parse(location, at);
      const stays = to?.origin === at.origin && (response.status === 307 || response.status === 308);
      if (!to || !stays || hops === MAX_REDIRECTS) return response;
      await response.body?.cancel();
      at = to;
    }
  }

  async #refuse(response: Response): Promise<Response> {
    const { status, headers } = response;
    // If the body does not come, the status is enough.
    this.refusal = { status, headers, body: "" };
    if (response.body) this.refusal.body = await this.#readHead(response.body);
    return new Response(null, { status: status < 400 ? 500 : status });
  }

  async #readHead(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let bytes = 0; bytes < MAX_REFUSAL_BYTES;) {
      const { done, value } = await this.#read(reader);
      if (done) return text;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
    reader.cancel().catch(() => {});
    return text;
  }

  async #watch(body: ReadableStream<Uint8Array<ArrayBuffer>>, status: number): Promise<Response> {
    const reader = body.getReader();
    const head: Uint8Array<ArrayBuffer>[] = [];
    let first: string | undefined;
    while (first === undefined) {
      const { done, value } = await this.#read(reader);
      if (done) break;
      head.push(value);
      first = /[^\s\uFEFF]/.exec(new TextDecoder().decode(value))?.[0];
    }
    const rest = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        const ready = head.shift();
        if (ready) return controller.enqueue(ready);
        const { done, value } = await this.#read(reader);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(rest, { status, headers: { "content-type": mediaTypeOf(first) } });
  }

  async #read(
    reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  ): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
    this.#await();
    try {
      const read = await reader.read();
      if (!read.done) this.#count(read.value);
      return read;
    } catch (error) {
      throw this.#options.abort.signal.aborted ? this.#options.abort.signal.reason : error;
    } finally {
      this.close();
    }
  }

  #await(): void {
    const ms = this.#idleMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const hint = `--max-silence, or models."${this.#options.model}".idle_seconds, sets another limit`;
      this.#options.abort.abort(
        new ToolError("timeout", `The model was silent for ${ms / SECONDS} s: ${hint}`),
      );
    }, ms);
  }

  #count(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) {
      const error = new ToolError("external_failure", `The model's reply is larger than ${MAX_BYTES} bytes`, {
        retryable: false,
      });
      this.#options.abort.abort(error);
      throw error;
    }
    const both = new Uint8Array([...this.#tail, ...bytes.subarray(-TAIL_BYTES)]);
    this.#tail = both.slice(-TAIL_BYTES);
  }
}

function mediaTypeOf(first: string | undefined): string {
  if (first === "{") return "application/json";
  return first === "<" ? "text/html" : "text/event-stream";
}
