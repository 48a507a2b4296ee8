import { ToolError } from "../../../schemas/error.ts";
import type { Ask } from "../asks/ask.ts";
import type { AnswerMessage, FromRoom } from "../protocol.ts";

/** The room's side of what only main can do: the room asks, main answers or refuses. */
export class RoomAsks {
  readonly #post: (message: FromRoom) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(post: (message: FromRoom) => void) {
    this.#post = post;
  }

  /** Asks main, and returns its answer. Rejects with the {@linkcode ToolError} that main answered with. */
  readonly ask = (ask: Ask): Promise<unknown> => {
    const n = ++this.#asked;
    const question = Promise.withResolvers<unknown>();
    this.#waiting.set(n, question);
    this.#post({ t: "ask", n, ask });
    return question.promise;
  };

  /** Takes main's answer. */
  receive({ n, value, error }: AnswerMessage): void {
    const question = this.#waiting.get(n);
    this.#waiting.delete(n);
    if (error) question?.reject(new ToolError(error.code, error.message, error));
    else question?.resolve(value);
  }
}
