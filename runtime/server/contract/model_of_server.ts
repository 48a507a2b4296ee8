import type { Config } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import { chooseModel, chooseName, replayFile } from "../../model/choose_model.ts";
import { findKeys, type FoundKey } from "../../model/providers/found_keys.ts";
import type { Served } from "./served.ts";

/** What is known of the model of runs that name none. */
export interface ServerModel {
  /** `null` if nobody named one. */
  model: string | null;
  /** Why it cannot be asked, as far as the settings tell; `null` if it can. */
  problem: string | null;
  /** The keys of providers that the environment holds, by their variables. */
  keys: readonly FoundKey[];
}

/** Finds the model of runs that name none. Asks no server. */
export function modelOfServer(
  { model: wish, host: { env } }: Pick<Served, "model"> & { host: Pick<Served["host"], "env"> },
  { agent = {}, models = {} }: Config,
): ServerModel {
  const sources = { ...wish, env: (name: string) => env[name], agent, models };
  const keys = findKeys(sources.env);
  let model: string | null = null;
  try {
    model = chooseName(sources);
    if (replayFile(model) === null) chooseModel(sources);
    return { model, problem: null, keys };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { model, problem: error.message, keys };
  }
}
