import type { Model } from "../../../../schemas/agent/model.ts";
import { openModel, type OpenModelOptions } from "../../../model/open_model.ts";

interface Shared {
  model: Promise<Model>;
  users: number;
}

/** Opens models: runs that ask one model alike at the same time share its worker. */
export class SharedModels {
  readonly #open = new Map<string, Shared>();

  /** Opens a model for one run, which closes it. Throws as `openModel` does. */
  async use(options: OpenModelOptions): Promise<Model> {
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
}
