import type { ByteConn } from "../wire/streams.ts";

/** Most bytes on their way that the other side has not read yet. */
const WINDOW = 256 * 1024;
/** After so many bytes that were read, the other side is told. */
const TOLD = 64 * 1024;

/** What goes over a port: bytes, how many were read, that no more come, or that nothing is read any more either. */
type PortMessage = Uint8Array<ArrayBuffer> | number | "end" | "close";

/** A connection between two workers, over a port of messages. Who writes waits for who reads. */
export class PortConn implements ByteConn {
  readonly #port: MessagePort;
  readonly #came: Uint8Array[] = [];
  /** No more bytes come. */
  #isEnded = false;
  /** Nobody reads what is written. */
  #isGone = false;
  #isClosed = false;
  /** Bytes that were sent and not read yet. */
  #unread = 0;
  /** Bytes that were read, and of which the other side was not told. */
  #untold = 0;
  #wake: (() => void) | null = null;
  #drain: (() => void) | null = null;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<PortMessage>) => this.#receive(data);
  }

  /** @throws {Deno.errors.BadResource} Once this side is closed */
  async read(buffer: Uint8Array): Promise<number | null> {
    for (;;) {
      if (this.#isClosed) throw new Deno.errors.BadResource("the connection is closed");
      const [first] = this.#came;
      if (first !== undefined) return this.#take(first, buffer);
      if (this.#isEnded) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** @throws {Deno.errors.BrokenPipe} If one of the sides is closed */
  async write(bytes: Uint8Array): Promise<number> {
    while (this.#unread >= WINDOW && !this.#isGone) {
      await new Promise<void>((resolve) => this.#drain = resolve);
    }
    if (this.#isGone) throw new Deno.errors.BrokenPipe("the connection is closed");
    const part = bytes.slice(0, WINDOW) as Uint8Array<ArrayBuffer>;
    const { length } = part;
    this.#unread += length;
    // What moves away has no length here any more.
    this.#port.postMessage(part, [part.buffer]);
    return length;
  }

  closeWrite(): Promise<void> {
    if (!this.#isGone) this.#port.postMessage("end");
    return Promise.resolve();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isGone = true;
    this.#port.postMessage("close");
    this.#port.close();
    this.#came.length = 0;
    this.#wake?.();
    this.#drain?.();
  }

  #take(first: Uint8Array, buffer: Uint8Array): number {
    const part = first.subarray(0, buffer.length);
    buffer.set(part);
    if (part.length < first.length) this.#came[0] = first.subarray(part.length);
    else this.#came.shift();
    this.#untold += part.length;
    if (this.#untold >= TOLD && !this.#isGone) {
      this.#port.postMessage(this.#untold);
      this.#untold = 0;
    }
    return part.length;
  }

  #receive(message: PortMessage): void {
    if (typeof message === "number") {
      this.#unread -= message;
      return this.#drain?.();
    }
    if (message === "end" || message === "close") this.#isEnded = true;
    else this.#came.push(message);
    if (message === "close") {
      this.#isGone = true;
      this.#drain?.();
    }
    this.#wake?.();
  }
}
