import { AGENT_LIMITS, type AgentLimits } from "../../schemas/agent/agent.ts";
import { AGENT_BOUNDS, type AgentBound, type AgentConfig, type ModelConfig } from "../../schemas/config.ts";
import { ToolError } from "../../schemas/error.ts";
import { type ModelProfile, UNKNOWN_MODEL } from "../../schemas/agent/model.ts";

/** A model, with all that is needed to reach it. */
export interface ModelChoice {
  name: string;
  baseUrl: string;
  /** `""` if the model needs no key. */
  apiKey: string;
  profile: ModelProfile;
  /** Fields that every request has besides the usual ones. */
  extraBody?: Readonly<Record<string, unknown>>;
}

/** What the user says about models. The first one that is set wins. */
export interface ModelSources {
  /** `--model`. */
  name?: string | undefined;
  /** `--base-url`. */
  baseUrl?: string | undefined;
  env(name: string): string | undefined;
  agent: AgentConfig;
  models: Readonly<Record<string, ModelConfig>>;
}

const OPENAI = "https://api.openai.com/v1";
const KEY_NAMES = ["OPENAI_API_KEY", "API_KEY"];
const URL_NAMES = ["OPENAI_BASE_URL", "OPENAI_API_BASE", "API_BASE"];
const MODEL_NAMES = ["OPENAI_MODEL", "MODEL_NAME"];
/** The start of a model's name that stands for a recording. */
const REPLAY = "replay:";

/**
 * Finds out which model a run takes and where it is.
 *
 * @throws {ToolError} `configuration` if no model is named or its address is not valid, `unauthenticated` if
 * its key is missing
 */
export function chooseModel(sources: ModelSources): ModelChoice {
  const name = chooseName(sources);
  const { baseUrl, from } = chooseUrl(name, sources);
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ToolError(
      from === "--base-url" ? "invalid_input" : "configuration",
      `Cannot use ${from} "${baseUrl}": it must begin with http:// or https://`,
    );
  }
  const apiKey = firstOf(KEY_NAMES, sources.env)?.value ?? "";
  if (apiKey === "" && !isLoopback(url.hostname)) {
    throw new ToolError(
      "unauthenticated",
      `No key for the model at ${url.host}: set OPENAI_API_KEY; a model on this machine needs no key`,
      { details: { variables: KEY_NAMES } },
    );
  }
  const { extra_body } = configOf(name, sources);
  return {
    name,
    baseUrl,
    apiKey,
    profile: modelProfileOf(name, sources),
    ...(extra_body && { extraBody: extra_body }),
  };
}

/**
 * Returns the name of the model that a run takes.
 *
 * @throws {ToolError} `configuration` if no model is named
 */
export function chooseName({ name, env, agent }: Omit<ModelSources, "models">): string {
  const chosen = name ?? firstOf(MODEL_NAMES, env)?.value ?? agent.model;
  if (chosen !== undefined) return chosen;
  throw new ToolError(
    "configuration",
    "No model is named: pass --model NAME, set OPENAI_MODEL, or name it in the configuration",
  );
}

/** Returns the file that a name such as `replay:run.jsonl` stands for, `null` for any other name. */
export function replayFile(name: string): string | null {
  if (!name.startsWith(REPLAY)) return null;
  if (name.length > REPLAY.length) return name.slice(REPLAY.length);
  throw new ToolError("invalid_input", "Name the file of the recording: --model replay:FILE");
}

/** Returns what is known of a model. */
export function modelProfileOf(name: string, sources: Pick<ModelSources, "models">): ModelProfile {
  const { context_tokens, output_tokens, images, prices } = configOf(name, sources);
  const context = context_tokens ?? UNKNOWN_MODEL.context_tokens;
  return {
    context_tokens: context,
    // A conversation must have room in a small window, too.
    output_tokens: output_tokens ?? Math.min(UNKNOWN_MODEL.output_tokens, Math.floor(context / 4)),
    images: images ?? UNKNOWN_MODEL.images,
    prices: prices ? { cached_input: prices.input, ...prices } : UNKNOWN_MODEL.prices,
  };
}

/**
 * Returns the bounds of a run.
 *
 * @param given Those of the command line or of a program
 */
export function chooseLimits(given: Partial<AgentLimits>, agent: AgentConfig): AgentLimits {
  const configured = Object.entries(AGENT_BOUNDS).flatMap(([field, bound]) => {
    const value = agent[field as AgentBound];
    return value === undefined ? [] : [[bound, value]];
  });
  return { ...AGENT_LIMITS, ...Object.fromEntries(configured), ...given };
}

/**
 * Checks that costs can be counted if they are bounded.
 *
 * @throws {ToolError} `configuration` for a cost limit without the model's prices
 */
export function checkPrices(name: string, profile: ModelProfile, limits: AgentLimits): void {
  if (limits.cost === null || profile.prices !== null) return;
  throw new ToolError(
    "configuration",
    `The cost of "${name}" cannot be bounded: its prices are not known, set models."${name}".prices in the configuration`,
  );
}

function configOf(name: string, { models }: Pick<ModelSources, "models">): ModelConfig {
  return Object.hasOwn(models, name) ? models[name]! : {};
}

function chooseUrl(name: string, sources: ModelSources): { baseUrl: string; from: string } {
  if (sources.baseUrl !== undefined) return { baseUrl: sources.baseUrl, from: "--base-url" };
  const set = firstOf(URL_NAMES, sources.env);
  if (set) return { baseUrl: set.value, from: set.name };
  return { baseUrl: configOf(name, sources).base_url ?? OPENAI, from: "the base URL" };
}

/** An empty variable counts as not set. */
function firstOf(
  names: readonly string[],
  env: ModelSources["env"],
): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = env(name)?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" ||
    /^127(\.\d+){3}$/.test(host);
}
