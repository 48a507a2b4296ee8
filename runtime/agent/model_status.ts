import type { Config } from "../../schemas/config.ts";
import { ToolError } from "../../schemas/error.ts";
import { chooseModel, chooseName } from "../model/choose_model.ts";
import { firstSet, type GetEnv } from "../model/providers/addresses.ts";
import { chooseEndpoint, namedModel } from "../model/providers/choose_endpoint.ts";

/** Which model a run without `--model` would take. */
export interface ModelStatus {
  /** `null` if none is named. */
  name: string | null;
  /** The setting that names it. */
  from: string;
  /** `null` if there is no address. */
  baseUrl: string | null;
  /** Whether its key is set, for people. */
  key: string;
  /** Why it cannot be used; `null` if it can, as far as the settings tell. */
  problem: string | null;
}

/** Finds the model of the settings. Asks no server. */
export function modelStatus({ agent = {}, models = {} }: Config, env: GetEnv): ModelStatus {
  const none = { name: null, from: "", baseUrl: null, key: "" };
  try {
    const name = chooseName({ env, agent });
    const from = namedModel(env) === undefined ? "the configuration" : "the environment";
    return { ...none, name, from, ...addressOfModel(name, { agent, models, env }) };
  } catch (error) {
    if (error instanceof ToolError) return { ...none, problem: error.message };
    throw error;
  }
}

function addressOfModel(
  name: string,
  { agent, models, env }: { agent: object; models: NonNullable<Config["models"]>; env: GetEnv },
): Pick<ModelStatus, "baseUrl" | "key" | "problem"> {
  if (name.startsWith("replay:")) return { baseUrl: null, key: "a recording needs no key", problem: null };
  let baseUrl: string | null = null;
  try {
    const endpoint = chooseEndpoint(name, { env, entry: models[name] ?? {} });
    baseUrl = endpoint.baseUrl;
    chooseModel({ name, env, agent, models });
    const set = firstSet(endpoint.keys, env);
    const key = set ? `its key is set by ${set.name}` : "it needs no key";
    return { baseUrl, key, problem: null };
  } catch (error) {
    if (error instanceof ToolError) return { baseUrl, key: "", problem: error.message };
    throw error;
  }
}
