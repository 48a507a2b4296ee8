import type { ConnectionTransport } from "puppeteer-core";

import type { FromDriver } from "../protocol.ts";

/** Main hears after so many bytes that they were taken in. */
const TOLD_BYTES = 64 * 1024;

/** The way to the browser: main passes its messages on, and looks at none. */
export class DriverWire implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #post: (message: FromDriver, memory?: Transferable[]) => void;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #taken = 0;

  constructor(post: (message: FromDriver, memory?: Transferable[]) => void) {
    this.#post = post;
  }

  send(message: string): void {
    const bytes = this.#encoder.encode(`${message}\0`);
    this.#post({ t: "send", bytes }, [bytes.buffer]);
  }

  /** Takes in a message of the browser. */
  take(bytes: Uint8Array): void {
    this.onmessage?.(this.#decoder.decode(bytes));
    this.#taken += bytes.length;
    if (this.#taken < TOLD_BYTES) return;
    this.#post({ t: "taken", bytes: this.#taken });
    this.#taken = 0;
  }

  close(): void {
    this.onclose?.();
  }
}
