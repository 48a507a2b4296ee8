import { ToolError } from "../../../schemas/error.ts";
import type { AskedOperation, AskId, FromListener, ToListener } from "../contract/protocol.ts";

/** What main answered. */
export type MainAnswer = Extract<ToListener, { t: "answer" }>;

/** The way to main, where requests are answered. */
export class Asks {
  readonly #post: (message: FromListener) => void;
  readonly #waiting = new Map<AskId, PromiseWithResolvers<ToListener>>();
  #asked = 0;
  #count = 0;

  constructor(post: (message: FromListener) => void) {
    this.#post = post;
  }

  /** How many requests wait for the beginning of their answer. */
  get count(): number {
    return this.#count;
  }

  /**
   * Asks main.
   *
   * @param gone Aborts when nobody waits for the answer any more
   * @throws {ToolError} What main says; `cancelled` if nobody waits
   */
  async ask(asked: AskedOperation, gone: AbortSignal): Promise<MainAnswer> {
    const id = ++this.#asked;
    const leave = () => this.cancel(id);
    gone.addEventListener("abort", leave, { once: true });
    this.#count++;
    try {
      const answer = await this.#send(id, { t: "ask", id, asked });
      if (answer.t === "answer") return answer;
      throw new ToolError("internal", `Main answered with "${answer.t}"`);
    } finally {
      this.#count--;
      gone.removeEventListener("abort", leave);
    }
  }

  /**
   * Asks for the next piece of a stream.
   *
   * @throws {ToolError} If it broke off
   */
  async pull(id: AskId): Promise<string | null> {
    const answer = await this.#send(id, { t: "pull", id });
    if (answer.t === "piece") return answer.text;
    throw new ToolError("internal", `Main answered with "${answer.t}"`);
  }

  /** Says that nobody waits for an answer, or for the rest of it. */
  cancel(id: AskId): void {
    this.#post({ t: "gone", id });
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(new ToolError("cancelled", "The client has gone"));
  }

  /** Takes a message of main. */
  receive(message: ToListener): void {
    if (!("id" in message)) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.t !== "failed") return waiting?.resolve(message);
    const { code, message: text, retryable, details } = message.error;
    waiting?.reject(new ToolError(code, text, { retryable, details }));
  }

  #send(id: AskId, message: FromListener): Promise<ToListener> {
    const waiting = Promise.withResolvers<ToListener>();
    this.#waiting.set(id, waiting);
    this.#post(message);
    return waiting.promise;
  }
}
