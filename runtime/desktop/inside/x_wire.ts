import { ToolError } from "../../../schemas/error.ts";
import type { FromDisplay, Greeting } from "../protocol.ts";
import { ByteQueue } from "./byte_queue.ts";
import {
  type DisplaySetup,
  greetingBytes,
  numbersIn,
  readSetup,
  SETUP_HEAD,
  setupLength,
} from "./x_setup.ts";

/** Main hears after so many bytes that they were taken in. */
const TOLD_BYTES = 64 * 1024;
/** Bytes of every message of a display, at least. */
const MESSAGE = 32;
/** Longest message of a display, in bytes: a picture of a very large screen. */
const MAX_MESSAGE = 256 * 1024 * 1024;
/** First bytes of messages. All others are events. */
const KINDS = { error: 0, reply: 1, longEvent: 35 };

/** The protocol of X with one display: requests go out, and replies find who asked. Main passes the bytes on. */
export class XWire {
  readonly #post: (message: FromDisplay, memory?: Transferable[]) => void;
  readonly #queue = new ByteQueue();
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  readonly #setup = Promise.withResolvers<DisplaySetup>();
  #isOpen = false;
  #sequence = 0;
  #taken = 0;
  /** What requests without a reply were refused with. */
  #refused: ToolError | null = null;

  constructor(post: (message: FromDisplay, memory?: Transferable[]) => void) {
    this.#post = post;
    this.#setup.promise.catch(() => {});
  }

  /** Greets the display. Throws `ToolError` if it refuses. */
  open(greeting: Greeting): Promise<DisplaySetup> {
    this.#send(greetingBytes(greeting));
    return this.#setup.promise;
  }

  /** Takes in bytes of the display. */
  take(bytes: Uint8Array): void {
    this.#queue.push(bytes);
    if (this.#isOpen || this.#readSetup()) { while (this.#readMessage()); }
    this.#taken += bytes.length;
    if (this.#taken < TOLD_BYTES) return;
    this.#post({ t: "taken", bytes: this.#taken });
    this.#taken = 0;
  }

  /** Sends a request that has no reply. A refusal is thrown by the next {@linkcode XWire.ask}. */
  tell(request: Uint8Array<ArrayBuffer>): void {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#send(request);
  }

  /** Sends a request and returns its reply, once all requests before it were done. */
  async ask(request: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    this.tell(request);
    const asked = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(this.#sequence, asked);
    const reply = await asked.promise;
    const refused = this.#refused;
    this.#refused = null;
    if (refused !== null) throw refused;
    return reply;
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#post({ t: "send", bytes }, [bytes.buffer]);
  }

  #readSetup(): boolean {
    const head = this.#queue.peek(SETUP_HEAD);
    const bytes = head && this.#queue.take(setupLength(head));
    if (bytes === null) return false;
    this.#isOpen = true;
    try {
      this.#setup.resolve(readSetup(bytes));
    } catch (error) {
      this.#setup.reject(error);
    }
    return true;
  }

  #readMessage(): boolean {
    const head = this.#queue.peek(MESSAGE);
    if (head === null) return false;
    const kind = head[0]! & 0x7f;
    const hasLength = kind === KINDS.reply || kind === KINDS.longEvent;
    const length = MESSAGE + (hasLength ? 4 * numbersIn(head).getUint32(4, true) : 0);
    if (length > MAX_MESSAGE) throw new ToolError("limit_exceeded", "The display sent too long a message");
    const message = this.#queue.take(length);
    if (message === null) return false;
    const sequence = numbersIn(message).getUint16(2, true);
    if (kind === KINDS.reply) this.#waiting.get(sequence)?.resolve(message);
    else if (kind === KINDS.error) this.#refuse(sequence, message);
    if (kind === KINDS.reply || kind === KINDS.error) this.#waiting.delete(sequence);
    return true;
  }

  #refuse(sequence: number, message: Uint8Array): void {
    const error = new ToolError(
      "external_failure",
      `The display refused request ${message[10]} with error ${message[1]}`,
    );
    const asked = this.#waiting.get(sequence);
    if (asked === undefined) this.#refused = error;
    else asked.reject(error);
  }
}
