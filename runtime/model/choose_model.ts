import { AGENT_LIMITS, type AgentLimits } from "../../schemas/agent/agent.ts";
import { AGENT_BOUNDS, type AgentBound, type AgentConfig, type ModelConfig } from "../../schemas/config.ts";
import { ToolError } from "../../schemas/error.ts";
import { type ModelProfile, UNKNOWN_MODEL } from "../../schemas/agent/model.ts";
import { didYouMean, nearest } from "../../schemas/nearest.ts";
import { firstSet, type GetEnv } from "./providers/addresses.ts";
import { chooseEndpoint, type Endpoint, namedModel } from "./providers/choose_endpoint.ts";
import { findKeys, tellKeys } from "./providers/found_keys.ts";
import { isPreset, OPENAI, PRESET_NAMES, presetAt, type PresetName, presetOf } from "./providers/presets.ts";
import type { Quirks } from "./quirks/learn.ts";

/** A model, with all that is needed to reach it. */
export interface ModelChoice {
  /** As the user names it. */
  name: string;
  /** Names that the server may know it by, best first. */
  names: readonly string[];
  baseUrl: string;
  /** `""` if the model needs no key. */
  apiKey: string;
  /** Headers that every request has besides the usual ones; their values count as secrets. */
  headers: Readonly<Record<string, string>>;
  /** The provider, if it is known. */
  provider: PresetName | null;
  profile: ModelProfile;
  /** What the user says of how it is asked. */
  quirks?: Readonly<Quirks>;
  /** Fields that every request has besides the usual ones. */
  extraBody?: Readonly<Record<string, unknown>>;
  /** Longest silence within a reply, in milliseconds. */
  idleTimeoutMs?: number;
}

/** What the user says about models. The first one that is set wins. */
export interface ModelSources {
  /** `--model`. */
  name?: string | undefined;
  /** `--base-url`. */
  baseUrl?: string | undefined;
  /** Goes to whatever server the model is on; `""` sends none. @default the one of the environment */
  apiKey?: string | undefined;
  env: GetEnv;
  agent: AgentConfig;
  models: Readonly<Record<string, ModelConfig>>;
}

/** The start of a model's name that stands for a recording. */
const REPLAY = "replay:";

/**
 * Finds out which model a run takes and where it is.
 *
 * @throws {ToolError} `configuration` if no model is named, its provider is unknown or its address is not valid,
 * `unauthenticated` if its key is missing
 */
export function chooseModel(sources: ModelSources): ModelChoice {
  const name = chooseName(sources);
  const entry = configOf(name, sources);
  const endpoint = chooseEndpoint(name, { ...sources, entry });
  checkName(name, endpoint);
  const server = reachServer(endpoint, sources);
  const extraBody = { ...(server.provider && presetOf(server.provider).extraBody), ...entry.extra_body };
  return {
    ...server,
    name,
    profile: {
      ...modelProfileOf(name, sources),
      ...(server.provider && presetOf(server.provider).makesCalls && { makes_calls: true }),
    },
    ...(entry.wire && { quirks: quirksOf(entry.wire) }),
    ...(Object.keys(extraBody).length > 0 && { extraBody }),
    ...(entry.idle_seconds !== undefined && { idleTimeoutMs: entry.idle_seconds * 1_000 }),
  };
}

/** Returns what a choice of an API says of a server. */
export function quirksOf(wire: NonNullable<ModelConfig["wire"]>): Quirks {
  return { responses: wire === "responses" };
}

/** A server that can be asked. */
export type ReachedServer = Pick<ModelChoice, "names" | "baseUrl" | "apiKey" | "headers" | "provider">;

/**
 * Checks the address of a model, and finds its key.
 *
 * @throws {ToolError} `configuration` or `invalid_input` if the address is not valid, `unauthenticated` if the key is
 * missing
 */
export function reachServer(
  { baseUrl, from, names, keys, keyless, headers, provider }: Endpoint,
  { apiKey: given, env }: Pick<ModelSources, "apiKey" | "env">,
): ReachedServer {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ToolError(
      from === "--base-url" ? "invalid_input" : "configuration",
      `Cannot use ${from} "${baseUrl}": it must begin with http:// or https://`,
    );
  }
  const apiKey = given ?? firstSet(keys, env)?.value ?? "";
  if (apiKey === "" && !keyless && given === undefined) {
    throw new ToolError(
      "unauthenticated",
      `No key for the model at ${url.host}: set ${keys.join(" or ")}; a model on this machine needs no key` +
        tellKeys(findKeys(env)),
      { details: { variables: keys, found: findKeys(env) } },
    );
  }
  return { names, baseUrl, apiKey, headers, provider };
}

/** The first word of a name may be meant as a provider. OpenAI's own models have no slash in their names. */
function checkName(name: string, { names, baseUrl }: Endpoint): void {
  const [word = ""] = name.split("/", 1);
  const url = URL.parse(baseUrl);
  const isOpenAi = url !== null && presetAt(url) === OPENAI;
  if (names[0] === "" || (isOpenAi && isPreset(name))) {
    throw new ToolError(
      "configuration",
      `"${name}" names a provider without a model: write ${word}/NAME; bulkhead models ${word} lists the names`,
    );
  }
  if (!isOpenAi || !names[0]!.includes("/")) return;
  const hint = didYouMean(nearest(word, PRESET_NAMES)) ||
    `: the providers are ${PRESET_NAMES.join(", ")}; for ` +
      `another server pass --base-url or set models."${name}".base_url`;
  throw new ToolError("configuration", `No provider is called "${word}"${hint}`, {
    details: { providers: PRESET_NAMES },
  });
}

/**
 * Returns the name of the model that a run takes.
 *
 * @throws {ToolError} `configuration` if no model is named
 */
export function chooseName({ name, env, agent }: Pick<ModelSources, "name" | "env" | "agent">): string {
  const chosen = name ?? namedModel(env) ?? agent.model;
  if (chosen !== undefined) return chosen;
  const found = findKeys(env);
  throw new ToolError(
    "configuration",
    "No model is named: pass --model NAME, set OPENAI_MODEL, or name it in the configuration" +
      (tellKeys(found) || "; bulkhead models lists the providers"),
    { details: { found } },
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
  return {
    context_tokens: context_tokens ?? UNKNOWN_MODEL.context_tokens,
    output_tokens: output_tokens ?? UNKNOWN_MODEL.output_tokens,
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
  const said = Object.entries(given).filter(([, bound]) => bound !== undefined);
  return { ...AGENT_LIMITS, ...Object.fromEntries(configured), ...Object.fromEntries(said) };
}

/**
 * Checks that costs can be counted if they are bounded.
 *
 * @param provider Whose model it is, if that is known: some say what each reply cost
 * @throws {ToolError} `configuration` for a cost limit without the model's prices
 */
export function checkPrices(
  { name, profile, provider = null }: Pick<ModelChoice, "name" | "profile"> & Partial<ModelChoice>,
  limits: AgentLimits,
): void {
  const reportsCost = provider !== null && presetOf(provider).reportsCost;
  if (limits.cost === null || profile.prices !== null || reportsCost) return;
  throw new ToolError(
    "configuration",
    `The cost of "${name}" cannot be bounded: its prices are not known, set models."${name}".prices in the configuration`,
  );
}

function configOf(name: string, { models }: Pick<ModelSources, "models">): ModelConfig {
  return Object.hasOwn(models, name) ? models[name]! : {};
}
