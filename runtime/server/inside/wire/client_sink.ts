import type { Deadline } from "./deadline.ts";

/** Bytes that are written at once. */
const STEP = 64 * 1024;

/** What goes to a client, with a bound of the time in which it takes nothing. */
export class ClientSink {
  readonly #conn: Pick<Deno.Conn, "write">;
  readonly #deadline: Deadline;
  readonly #takeMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(conn: Pick<Deno.Conn, "write">, deadline: Deadline, takeMs: number) {
    this.#conn = conn;
    this.#deadline = deadline;
    this.#takeMs = takeMs;
  }

  /** Settles once the system has let go of the last bytes: Deno 2.6 ends no write that was cut. */
  get released(): Promise<unknown> {
    return this.#last;
  }

  /** Writes all bytes; fails if the client takes none of them for too long. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const writing = this.#conn.write(bytes.subarray(at, at + STEP));
      this.#last = writing.catch(() => {});
      at += await this.#deadline.within(this.#takeMs, writing);
    }
  }
}
