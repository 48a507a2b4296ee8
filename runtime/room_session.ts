import type { SessionState } from "../schemas/context.ts";
import type { FromRoom } from "./messages.ts";

/** The room's side of session state: asks main, which keeps it. */
export class RoomSession {
  readonly #post: (message: FromRoom) => void;
  readonly #waiting = new Map<number, (value: unknown) => void>();
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

  /** Takes main's answer to question `n`. */
  receive(n: number, value: unknown): void {
    this.#waiting.get(n)?.(value);
    this.#waiting.delete(n);
  }

  #ask(message: (n: number) => FromRoom): Promise<unknown> {
    const n = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(n, resolve);
    this.#post(message(n));
    return promise;
  }
}
