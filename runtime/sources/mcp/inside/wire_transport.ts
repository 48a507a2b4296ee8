import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";

import { isDeeper } from "../../../text/json_depth.ts";
import type { FromClient } from "../wire/protocol.ts";

/** Deepest nesting of a message. */
const MAX_DEPTH = 200;
/** Main hears after so many bytes that they were taken in. */
const TOLD_BYTES = 64 * 1024;

/** Messages that main passes on to a server and from it. What is no message is passed over: some servers print there. */
export class WireTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #post: (message: FromClient) => void;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #taken = 0;
  #isClosed = false;

  constructor(post: (message: FromClient) => void) {
    this.#post = post;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#post({ t: "send", message: JSON.stringify(message) });
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Takes in a message of the server. */
  take(bytes: Uint8Array): void {
    const message = this.#read(bytes);
    if (message !== null && !this.#isClosed) this.onmessage?.(message);
    this.#taken += bytes.length + 1;
    if (this.#taken < TOLD_BYTES) return;
    this.#post({ t: "taken", bytes: this.#taken });
    this.#taken = 0;
  }

  #read(bytes: Uint8Array): JSONRPCMessage | null {
    try {
      const text = this.#decoder.decode(bytes);
      if (text.trim() === "" || isDeeper(text, MAX_DEPTH)) return null;
      return parseJSONRPCMessage(JSON.parse(text));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }
}
