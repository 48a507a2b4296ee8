import { GateFailure } from "../dial/gate_failure.ts";
import { type ByteConn, type ByteSource, closeQuietly, writeAll } from "./streams.ts";

/** How long the other side may take to hear the last words, in milliseconds. */
const LINGER_MS = 1_000;
/** Bytes that are read at once: small messages need no more. */
const FIRST_BYTES = 16 * 1024;
/** The same for long ones; the lines before a body must fit in it. */
const MOST_BYTES = 64 * 1024;

/** A connection that is read ahead: it tells when something comes, and when its other side has ended. */
export class Wire {
  readonly conn: ByteConn;
  readonly #source: ByteSource;
  #buffer = new Uint8Array(FIRST_BYTES);
  #start = 0;
  #end = 0;
  #reading: Promise<number | null> | null = null;
  #onRead: ((hasEnded: boolean) => void) | null = null;

  /** @param source What is read in place of the connection */
  constructor(conn: ByteConn, source: ByteSource = conn) {
    this.conn = conn;
    this.#source = source;
  }

  /** What was read and not yet taken. It holds until the next read. */
  get unread(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Takes so many bytes. */
  skip(count: number): void {
    this.#start += count;
  }

  /**
   * Reads more, behind what was not yet taken.
   *
   * @returns False at the end
   * @throws {GateFailure} `request` if more was not taken than fits
   */
  async fill(): Promise<boolean> {
    this.#onRead = null;
    this.#reading ??= this.#read();
    const read = await this.#reading;
    this.#reading = null;
    this.#end += read ?? 0;
    return read !== null;
  }

  /**
   * Reads ahead where all was taken, and says once what came. A later call takes the place of an earlier one.
   *
   * @param onRead `hasEnded`: the other side has closed the connection, or it broke
   */
  watch(onRead: (hasEnded: boolean) => void): void {
    this.#onRead = onRead;
    if (this.#reading !== null) return;
    if (this.#start < this.#end) return onRead(false);
    this.#reading = this.#read();
    const tell = (hasEnded: boolean) => this.#onRead?.(hasEnded);
    this.#reading.then((read) => tell(read === null), () => tell(true));
  }

  /** Says something for the last time. What still comes is taken for a while: unread, it would take the words back. */
  async endWith(words: Uint8Array): Promise<void> {
    await writeAll(this.conn, words);
    const timer = setTimeout(() => this.close(), LINGER_MS);
    try {
      await this.conn.closeWrite();
      do this.skip(this.unread.length); while (await this.fill());
    } catch {
      // The other side is gone, or the time is up.
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    closeQuietly(this.conn);
  }

  #read(): Promise<number | null> {
    const { unread } = this;
    if (unread.length === MOST_BYTES) throw new GateFailure("request", "the headers are too long");
    // Who fills the buffer has more to say.
    const isFull = this.#end === this.#buffer.length;
    if (isFull && (unread.length > 0 || this.#buffer.length < MOST_BYTES)) {
      this.#buffer = new Uint8Array(MOST_BYTES);
      this.#buffer.set(unread);
    }
    if (isFull || unread.length === 0) [this.#start, this.#end] = [0, unread.length];
    return this.#source.read(this.#buffer.subarray(this.#end));
  }
}
