import type { ClientSink } from "./client_sink.ts";
import type { PieceSource, Reply } from "./reply.ts";

/** What ends a stream besides its own end. */
export interface PieceOptions {
  sink: ClientSink;
  /** Another request may follow on the connection: the body comes in pieces with their lengths. */
  keeps: boolean;
  /** The server ends. */
  closing: AbortSignal;
  /** The client is gone. */
  gone: AbortSignal;
}

/** How often a stream of events says that it is alive, in milliseconds. */
const PING_MS = 15_000;
const PING = ": ping\n\n";
const encoder = new TextEncoder();

/**
 * Writes the body of a stream. Each piece is asked for once the one before has been taken: what the client does not take
 * waits where it comes from.
 *
 * @returns Whether another request may follow
 */
export async function writePieces(
  { headers }: Pick<Reply, "headers">,
  pieces: PieceSource,
  { sink, keeps, closing, gone }: PieceOptions,
): Promise<boolean> {
  const isEvents = headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const say = (text: string) => sink.write(keeps ? chunk(text) : encoder.encode(text));
  using turns = new Turns([closing, gone], isEvents ? PING_MS : null);
  let hasEnded = false;
  try {
    for (let next = pieces.next();;) {
      const piece = await turns.wait(next);
      if (piece === "stopped") {
        next.catch(() => {});
        if (gone.aborted) return false;
        if (pieces.goodbye) await say(pieces.goodbye);
        break;
      }
      if (piece === "late") {
        await say(PING);
        continue;
      }
      if (piece.text === null) {
        hasEnded = true;
        break;
      }
      // A piece without bytes would be the end of the body.
      if (piece.text !== "") await say(piece.text);
      next = pieces.next();
    }
    if (keeps) await sink.write(encoder.encode("0\r\n\r\n"));
    return keeps && !closing.aborted;
  } finally {
    if (!hasEnded) pieces.cancel();
  }
}

/** Waits for one thing after the other; what ends all waiting is asked once, so that long streams leave nothing behind. */
class Turns implements Disposable {
  readonly #signals: readonly AbortSignal[];
  readonly #pingMs: number | null;
  readonly #onAbort = () => this.#wake("stopped");
  #wake: (what: "stopped" | "late") => void = () => {};

  constructor(signals: readonly AbortSignal[], pingMs: number | null) {
    this.#signals = signals;
    this.#pingMs = pingMs;
    for (const signal of signals) signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  wait(next: Promise<string | null>): Promise<{ text: string | null } | "stopped" | "late"> {
    if (this.#signals.some(({ aborted }) => aborted)) return Promise.resolve("stopped");
    return new Promise((resolve, reject) => {
      const timer = this.#pingMs === null ? undefined : setTimeout(() => resolve("late"), this.#pingMs);
      this.#wake = (what) => {
        clearTimeout(timer);
        resolve(what);
      };
      next.then((text) => {
        clearTimeout(timer);
        resolve({ text });
      }, (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  }

  [Symbol.dispose](): void {
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#onAbort);
    this.#wake("stopped");
  }
}

function chunk(text: string): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(text);
  const size = encoder.encode(`${bytes.length.toString(16)}\r\n`);
  const all = new Uint8Array(size.length + bytes.length + 2);
  all.set(size);
  all.set(bytes, size.length);
  all.set([13, 10], size.length + bytes.length);
  return all;
}
