import type { SessionState } from "../schemas/context.ts";
import { ToolError } from "../schemas/error.ts";
import type { FromRoom, StateMessage } from "./messages.ts";

/** The room's side of session state: asks main, which keeps it. */
export class RoomSession {
  readonly #post: (message: FromRoom) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(post: (message: FromRoom) => void) {
    this.#post = post;
  }

  /** Returns the state of one toolset: sets do not see each other's keys. */
  of(toolset: string): SessionState {
    return {
      get: (key) => this.#ask((n) => ({ t: "state.get", n, toolset, key })),
      set: async (key, value) => void await this.#ask((n) => ({ t: "state.set", n, toolset, key, value })),
    };
  }

  /** Takes main's answer. */
  receive({ n, value, error }: StateMessage): void {
    const question = this.#waiting.get(n);
    this.#waiting.delete(n);
    if (error) question?.reject(new ToolError(error.code, error.message, error));
    else question?.resolve(value);
  }

  #ask(message: (n: number) => FromRoom): Promise<unknown> {
    const n = ++this.#asked;
    const question = Promise.withResolvers<unknown>();
    this.#waiting.set(n, question);
    this.#post(message(n));
    return question.promise;
  }
}
