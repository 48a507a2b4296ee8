import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

import type { FromClient } from "../wire/protocol.ts";
import { WaitingAnswers } from "./remote/answers.ts";

/** Main hears after so many bytes that they were taken in. */
const TOLD_BYTES = 64 * 1024;

/** Messages that main passes on to a server and from it. What is no message is passed over: some servers print there. */
export class WireTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #post: (message: FromClient) => void;
  readonly #decoder = new TextDecoder();
  readonly #answers = new WaitingAnswers();
  #taken = 0;
  #isClosed = false;

  constructor(post: (message: FromClient) => void) {
    this.#post = post;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) {
      this.#answers.sent(message);
      this.#post({ t: "send", message: JSON.stringify(message) });
    }
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
    const messages = this.#answers.read(this.#decoder.decode(bytes));
    for (const message of messages) if (!this.#isClosed) this.onmessage?.(message);
    this.#taken += bytes.length + 1;
    if (this.#taken < TOLD_BYTES) return;
    this.#post({ t: "taken", bytes: this.#taken });
    this.#taken = 0;
  }
}
