import { ToolError } from "../../../../schemas/error.ts";
import type { FromClient, ServerQuestion, ToClient } from "../wire/protocol.ts";

/** Most questions of a server that wait for an answer. */
const MAX_WAITING = 16;

type Answer = Readonly<Record<string, unknown>>;

/** The questions of a server, on their way to main and back. */
export class Questions {
  readonly #post: (message: FromClient) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #asked = 0;

  constructor(post: (message: FromClient) => void) {
    this.#post = post;
  }

  /** Asks main. The signal aborts when the server does not wait any more. */
  async ask(question: ServerQuestion, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    if (this.#waiting.size >= MAX_WAITING) {
      throw new ToolError("limit_exceeded", `at most ${MAX_WAITING} requests to a client wait at once`);
    }
    const id = ++this.#asked;
    const settle = Promise.withResolvers<Answer>();
    const onAbort = () => {
      this.#post({ t: "withdrawn", id });
      settle.reject(signal.reason);
    };
    this.#waiting.set(id, settle);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#post({ t: "question", id, question });
    try {
      return await settle.promise;
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Takes an answer of main. */
  receive(message: ToClient): void {
    if (message.t === "told") this.#waiting.get(message.id)?.resolve(message.answer);
    else if (message.t === "refused") {
      this.#waiting.get(message.id)?.reject(new ToolError("denied_by_policy", message.message));
    }
  }
}
