import type { Model } from "../../../../schemas/agent/model.ts";
import { openModel, type OpenModelOptions } from "../../../model/open_model.ts";
import { settlesWithin } from "../../../wait/settles_within.ts";

/** How long the end of the server waits for a model that comes too late, in milliseconds. */
const LATE_MS = 2_000;

interface Shared {
  model: Promise<Model>;
  users: number;
}

/** Opens models: runs that ask one model alike at the same time share its worker. */
export class SharedModels implements AsyncDisposable {
  readonly #open = new Map<string, Shared>();

  /**
   * Opens a model for one run, which closes it. Throws as `openModel` does.
   *
   * @param signal Aborts when the run ends: then nobody takes a model that comes too late, and it is closed at once
   */
  async use(options: OpenModelOptions, signal: AbortSignal): Promise<Model> {
    const key = JSON.stringify(options);
    const shared = this.#open.get(key) ?? { model: openModel(options), users: 0 };
    this.#open.set(key, shared);
    shared.users++;
    let isClosed = false;
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      if (--shared.users > 0) return;
      this.#open.delete(key);
      await (await shared.model)[Symbol.asyncDispose]();
    };
    try {
      const model = await shared.model;
      if (signal.aborted) await close();
      return {
        name: model.name,
        complete: (request, how) => model.complete(request, how),
        [Symbol.asyncDispose]: close,
      };
    } catch (error) {
      shared.users--;
      if (this.#open.get(key) === shared) this.#open.delete(key);
      throw error;
    }
  }

  /** Closes those that came too late; runs have closed all others. One that does not come ends with the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = [...this.#open.values()].map(async ({ model }) => {
      await (await model.catch(() => null))?.[Symbol.asyncDispose]();
    });
    await settlesWithin(Promise.all(closed), LATE_MS);
  }
}
