import { ToolError } from "../../../../schemas/error.ts";
import type { FromClient, ToClient } from "../wire/protocol.ts";
import type { HeldLogin, RemotePlan } from "./remote_plan.ts";

/** What the worker says about logins. */
export type LoginMessage = FromClient & { t: "keep" | "hold" | "free" | "authorize" };

/**
 * Does for the worker what a login needs of main: keeps it, holds it against other runs, and sends the user's browser
 * away. What is kept is written in the order in which the worker says it.
 */
export class LoginDesk implements AsyncDisposable {
  readonly #plan: RemotePlan;
  readonly #post: (message: ToClient) => void;
  readonly #over = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #held: HeldLogin | null = null;

  constructor(plan: RemotePlan, post: (message: ToClient) => void) {
    this.#plan = plan;
    this.#post = post;
  }

  hear(message: LoginMessage): void {
    if (message.t === "authorize") void this.#authorize(message.url);
    else this.#last = this.#last.then(() => this.#do(message));
  }

  /** Gives the login back, once what was said is kept. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#last;
    this.#free();
  }

  async #do(message: LoginMessage): Promise<void> {
    if (message.t === "free") this.#free();
    else if (message.t === "keep") await this.#plan.keep(message.kept, this.#held);
    else {
      this.#free();
      this.#held = await this.#plan.hold(this.#over.signal);
      this.#post({ t: "held", kept: this.#held?.kept ?? null });
    }
  }

  #free(): void {
    this.#held?.[Symbol.dispose]();
    this.#held = null;
  }

  async #authorize(url: string): Promise<void> {
    try {
      const query = await this.#plan.authorize(url);
      this.#post({ t: "returned", query, why: "" });
    } catch (error) {
      const why = error instanceof ToolError ? error.message : "nobody came back from the login";
      this.#post({ t: "returned", query: null, why });
    }
  }
}
