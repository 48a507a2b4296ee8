import { resolve } from "@std/path";

import type { AgentLimits } from "../../schemas/agent/agent.ts";
import type { Model, ModelProfile } from "../../schemas/agent/model.ts";
import type { Config } from "../../schemas/config.ts";
import { chooseTools } from "../calls/catalog/choose_tools.ts";
import {
  checkPrices,
  chooseLimits,
  chooseModel,
  chooseName,
  type ModelChoice,
  modelProfileOf,
  quirksOf,
  replayFile,
} from "../model/choose_model.ts";
import type { AgentSettings } from "./agent_settings.ts";

/** Where replies come from: an existing model, a model to open, or the file of a recording. */
export type ModelSource =
  | { from: "model"; model: Model; profile: ModelProfile }
  | { from: "service"; choice: ModelChoice }
  | { from: "recording"; file: string };

/** The decisions about a run before anything is opened. */
export interface AgentPlan {
  source: ModelSource;
  /** The model's name as it was chosen, `null` for a model of the caller. */
  name: string | null;
  limits: AgentLimits;
}

/**
 * Decides what a run takes, from its settings and the configuration.
 *
 * @throws {ToolError} `configuration` if no model is named, `unauthenticated` if its key is missing, `invalid_input` if
 * there is no such tool
 */
export function planAgent(
  settings: AgentSettings,
  { config: { agent = {}, models = {} }, hasSources }: { config: Config; hasSources: boolean },
): AgentPlan {
  // Which tools the sources have shows when the host is ready.
  if (!hasSources) checkTools(settings);
  const limits = chooseLimits(settings.limits, agent);
  const { model: own, name, baseUrl, apiKey, headers, wire, profile } = settings.model;
  const { extraBody, idleSeconds } = settings.model;
  const { env, places: { cwd } } = settings.host;
  if (own) {
    const known = { ...modelProfileOf(own.name, { models }), ...profile };
    checkPrices({ name: own.name, profile: known }, limits);
    return { source: { from: "model", model: own, profile: known }, name: null, limits };
  }
  const sources = {
    name,
    baseUrl,
    apiKey,
    env: (variable: string) => env[variable],
    agent,
    models,
  };
  const chosenName = chooseName(sources);
  const file = replayFile(chosenName);
  if (file !== null) {
    const recording = resolve(cwd, file);
    return { source: { from: "recording", file: recording }, name: `replay:${recording}`, limits };
  }
  const chosen = chooseModel(sources);
  const choice = {
    ...chosen,
    profile: { ...chosen.profile, ...profile },
    headers: { ...chosen.headers, ...headers },
    ...(wire && { quirks: quirksOf(wire) }),
    ...(extraBody && { extraBody: { ...chosen.extraBody, ...extraBody } }),
    ...(idleSeconds !== undefined && { idleTimeoutMs: idleSeconds * 1_000 }),
  };
  checkPrices(choice, limits);
  return { source: { from: "service", choice }, name: chosenName, limits };
}

/** An impossible choice of tools ends the run before it costs anything. */
function checkTools({ tools, manifest }: AgentSettings): void {
  if (tools === "none") return;
  const entries = manifest.tools.map((tool) => ({ tool }));
  chooseTools({ entries, defaultToolset: manifest.default_toolset }, tools);
}
