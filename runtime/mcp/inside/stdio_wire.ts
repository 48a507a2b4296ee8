import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";

import { MAX_MESSAGE_BYTES, readClientMessage, UnreadableMessage } from "./read_message.ts";

/** Both sides of a pipe to a client. */
export interface Pipe {
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
}

/** From this many bytes that the client has not read, no further message of it is read. */
const HIGH_WATER = 1024 * 1024;
/** With this many, the client is given up: it reads nothing and still asks. */
const MAX_UNREAD = 64 * 1024 * 1024;
/** Its own end may be hidden behind what it wrote: a client that reads nothing for so long is given up, in milliseconds. */
const STALLED_MS = 120_000;
/** How long a client that says no more may take to read its last answers, in milliseconds. */
const LAST_WORDS_MS = 500;
const NEWLINE = 0x0a;

/**
 * Messages as lines on a pipe. A line that is too long, too deep or no message is answered with an error, and the next
 * one is read. A client that does not read its answers is not read either.
 */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #pipe: Pipe;
  readonly #stalledMs: number;
  /** Bytes that the client, or its pipe, has taken. */
  #taken = 0;
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** The line is too long: its rest is dropped. */
  #isDropped = false;
  #unread = 0;
  #written: Promise<void> = Promise.resolve();
  #isClosed = false;
  #drained: (() => void) | null = null;

  /** @param stalledMs How long a client may read nothing while much waits for it, in milliseconds. Defaults to two minutes */
  constructor(pipe: Pipe, { stalledMs = STALLED_MS }: { stalledMs?: number } = {}) {
    this.#pipe = pipe;
    this.#stalledMs = stalledMs;
  }

  start(): Promise<void> {
    this.#readAll().catch((error) => this.onerror?.(error)).finally(() => this.#finish());
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#unread += bytes.length;
    if (this.#unread > MAX_UNREAD) {
      await this.close();
      return;
    }
    // Lines must not mix.
    await (this.#written = this.#written.then(() => this.#writeAll(bytes)));
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#drained?.();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** What was answered already is still told. */
  async #finish(): Promise<void> {
    if (this.#isClosed) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_WORDS_MS);
    await Promise.race([this.#written, late]);
    clearTimeout(timer);
    await this.close();
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length && !this.#isClosed;) {
        const count = await this.#pipe.write(bytes.subarray(at));
        at += count;
        this.#taken += count;
      }
    } catch {
      // Its reader is gone.
      await this.close();
    }
    this.#unread -= bytes.length;
    if (this.#unread <= HIGH_WATER) this.#drained?.();
  }

  async #readAll(): Promise<void> {
    const buffer = new Uint8Array(64 * 1024);
    while (!this.#isClosed) {
      const count = await this.#pipe.read(buffer);
      if (count === null) return;
      for (let from = 0; from < count && !this.#isClosed;) {
        const end = buffer.subarray(0, count).indexOf(NEWLINE, from);
        this.#add(buffer.subarray(from, end < 0 ? count : end));
        if (end < 0) break;
        from = end + 1;
        this.#endLine();
        if (this.#unread > HIGH_WATER) await this.#drain();
      }
    }
  }

  /** Waits until the client has read. */
  async #drain(): Promise<void> {
    while (this.#unread > HIGH_WATER && !this.#isClosed) {
      const before = this.#taken;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#drained = resolve;
      const timer = setTimeout(resolve, this.#stalledMs);
      await promise;
      clearTimeout(timer);
      this.#drained = null;
      if (this.#taken === before) await this.close();
    }
  }

  #add(part: Uint8Array): void {
    if (this.#isDropped || part.length === 0) return;
    this.#length += part.length;
    if (this.#length <= MAX_MESSAGE_BYTES) return void this.#chunks.push(part.slice());
    this.#chunks = [];
    this.#isDropped = true;
  }

  #endLine(): void {
    const [chunks, isDropped] = [this.#chunks, this.#isDropped];
    this.#chunks = [];
    this.#length = 0;
    this.#isDropped = false;
    if (isDropped) {
      const why = `Parse error: a message has at most ${MAX_MESSAGE_BYTES} bytes`;
      return this.#refuse(-32700, why);
    }
    const text = textOf(chunks);
    if (text === null) return this.#refuse(-32700, "Parse error: the message is not UTF-8");
    if (text.trim() === "") return;
    try {
      const value = readClientMessage(text);
      const message = understood(value);
      if (message === null) {
        return this.#refuse(-32600, "Invalid request: no message of JSON-RPC 2.0", idOf(value));
      }
      this.onmessage?.(message);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      this.#refuse(-32700, error.message);
    }
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    // Without an id, JSON-RPC has null in its place.
    this.send({ jsonrpc: "2.0", id, error: { code, message } } as unknown as JSONRPCMessage);
  }
}

function understood(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function textOf(chunks: readonly Uint8Array[]): string | null {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  } catch {
    return null;
  }
}
