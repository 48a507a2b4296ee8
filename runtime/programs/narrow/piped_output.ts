import type { Sink } from "../process/program_process.ts";

/** Bytes that wait for the reader; a program that writes more waits as well. */
const MOST_WAITING = 256 * 1024;

/** The stdout of a program as a stream. What nobody reads holds the program up, but never its end. */
export class PipedOutput {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #wake: () => void = () => {};
  #holds = true;

  constructor() {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#wake(),
      cancel: () => {
        this.#controller = null;
        this.#wake();
      },
    }, { highWaterMark: MOST_WAITING, size: ({ byteLength }) => byteLength });
  }

  /** Takes what the program writes, and settles when there is room for more. */
  readonly sink: Sink = (bytes) => {
    this.#controller?.enqueue(bytes);
    if (!this.#isFull) return;
    return new Promise((resolve) => this.#wake = resolve);
  };

  /** The program has ended: what it left in its pipe is taken at once. */
  release(): void {
    this.#holds = false;
    this.#wake();
  }

  /** Nothing more comes. */
  end(): void {
    this.#controller?.close();
    this.#controller = null;
  }

  get #isFull(): boolean {
    return this.#holds && this.#controller !== null && (this.#controller.desiredSize ?? 1) <= 0;
  }
}
