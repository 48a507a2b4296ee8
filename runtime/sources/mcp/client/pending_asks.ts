import type { Progress } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { cancelled } from "../../../calls/failed_result.ts";
import type { CallTime } from "./call_time.ts";

/** Options of {@linkcode PendingAsks.add}. */
export interface ClientAskOptions {
  signal: AbortSignal;
  /** What is left for the answer. */
  time: CallTime;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Gets the server's questions to a person: meanwhile the time stands still. */
  onQuestion?: ((state: "asked" | "answered") => void) | undefined;
}

/** A request that has no answer yet. */
interface Pending {
  resolve(answer: unknown): void;
  reject(error: ToolError): void;
  onProgress: ClientAskOptions["onProgress"];
  /** A person is asked, or has answered. */
  hold(isAsked: boolean): void;
}

/** The requests to a server that have no answer yet. */
export class PendingAsks {
  readonly #cancel: (id: number) => void;
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  /** Questions to a person that have no answer. */
  #persons = 0;

  /** @param cancel Tells the server that an answer is not wanted any more */
  constructor(cancel: (id: number) => void) {
    this.#cancel = cancel;
  }

  /** How many there are. */
  get size(): number {
    return this.#pending.size;
  }

  get(id: number): Pending | undefined {
    return this.#pending.get(id);
  }

  /**
   * Sends a request, and waits for its answer.
   *
   * @throws {ToolError} `timeout`, `cancelled`, and what it is rejected with
   */
  async add(
    { signal, time, onProgress, onQuestion }: ClientAskOptions,
    send: (id: number) => void,
  ): Promise<unknown> {
    const id = ++this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = (error: ToolError) => {
      this.#cancel(id);
      reject(error);
    };
    const onAbort = () => giveUp(cancelled(signal.reason));
    let isHeld = false;
    const hold = (isAsked: boolean) => {
      if (isAsked === isHeld) return;
      isHeld = isAsked;
      onQuestion?.(isAsked ? "asked" : "answered");
      // It goes on where it stopped: else a server that asks again and again would have time without an end.
      if (isAsked) time.stop();
      else time.start(giveUp);
    };
    time.start(giveUp);
    this.#pending.set(id, { resolve, reject, onProgress, hold });
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      hold(this.#persons > 0);
      send(id);
      return await promise;
    } finally {
      hold(false);
      time.stop();
      signal.removeEventListener("abort", onAbort);
      this.#pending.delete(id);
    }
  }

  /** A person is asked, or one question more is answered. */
  hold(more: 1 | -1): void {
    this.#persons += more;
    for (const { hold } of this.#pending.values()) hold(this.#persons > 0);
  }

  rejectAll(error: ToolError): void {
    for (const { reject } of this.#pending.values()) reject(error);
  }
}
