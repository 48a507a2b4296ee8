import { ToolError } from "../../../schemas/error.ts";
import type { CompleteOptions, Model, ModelReply, ModelRequest } from "../../../schemas/agent/model.ts";
import type { AnswerAside, RunModel } from "./parts.ts";

/**
 * The model of a run, as MCP servers and tools ask it: while the run goes on, one request after the other. Who opened the model
 * closes it.
 */
export class LentModel implements Model {
  readonly name: string;
  readonly #model: Model;
  #answer: AnswerAside | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(model: Model) {
    this.#model = model;
    this.name = model.name;
  }

  /** The same model, as the run asks it. */
  get ofRun(): RunModel {
    const model = this.#model;
    return {
      name: model.name,
      complete: (...asked) => model.complete(...asked),
      lend: (answer) => {
        this.#answer = answer;
        return { [Symbol.dispose]: () => void (this.#answer = null) };
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  /**
   * Answers a server or a tool.
   *
   * @throws {ToolError} `limit_exceeded` if the run's budget is used up, `unavailable` before and after the run, and as
   * the model does
   */
  complete(request: ModelRequest, { signal }: CompleteOptions): Promise<ModelReply> {
    const asked = this.#last.then(() => {
      if (this.#answer !== null) return this.#answer(request, { model: this.#model, signal });
      throw new ToolError("unavailable", "the model answers servers and tools only while the run goes on");
    });
    this.#last = asked.catch(() => {});
    return asked;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
