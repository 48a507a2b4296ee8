import type { OfferedModel } from "../../schemas/agent/model.ts";
import { ToolError } from "../../schemas/error.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../schemas/nearest.ts";
import { configureHost } from "../host/configure_host.ts";
import type { HostSettings } from "../host/host_settings.ts";
import { reachServer } from "../model/choose_model.ts";
import { listOffered } from "../model/open_model.ts";
import { addressOf, firstSet, type GetEnv } from "../model/providers/addresses.ts";
import { chooseEndpoint, chooseServer, type Endpoint, isFree } from "../model/providers/choose_endpoint.ts";
import { isPreset, PRESET_NAMES, type PresetName, presetOf } from "../model/providers/presets.ts";

/** Longest time until a server has listed its models, in milliseconds. */
const LIST_MS = 30_000;

/** Whose models are listed. */
export interface ListWish {
  /** A provider, or a model of the configuration: the server of that model. */
  name?: string | undefined;
  baseUrl?: string | undefined;
}

/** What a server offers. */
export interface OfferedModels {
  /** The provider, if the server was chosen by one. */
  provider: PresetName | null;
  base_url: string;
  models: readonly OfferedModel[];
}

/** A provider that is known by its name, and whether it can be used. */
export interface KnownProvider {
  provider: PresetName;
  base_url: string;
  /** Variables of its key. */
  keys: readonly string[];
  /** The one of them that is set; `null` if none is. */
  key_set: string | null;
  needs_key: boolean;
}

/** Where to look for what the user has set. */
export interface ListContext {
  host: HostSettings;
  manifest: Manifest;
  signal: AbortSignal;
}

/** Returns the providers that are known by their names. */
export function listProviders(env: GetEnv): KnownProvider[] {
  return PRESET_NAMES.map((provider) => {
    const preset = presetOf(provider);
    const { baseUrl } = addressOf(preset, env);
    return {
      provider,
      base_url: baseUrl,
      keys: preset.keys,
      key_set: firstSet(preset.keys, env)?.name ?? null,
      needs_key: preset.keyless !== true && !isFree(baseUrl),
    };
  });
}

/**
 * Asks a server which models it offers. Needs `net` for its host, and `read` of the configuration.
 *
 * @throws {ToolError} `invalid_input` for a name that is no provider and no model of the configuration; as a run of
 * one of its models
 */
export async function listModels(
  { name, baseUrl }: ListWish,
  { host, manifest, signal }: ListContext,
): Promise<OfferedModels> {
  const env = (variable: string) => host.env[variable];
  using configured = configureHost({ ...host, runsCalls: false }, manifest.tools);
  const { models = {} } = configured.loaded.config;
  const server = reachServer(findServer(name, { baseUrl, env, models }), { env });
  const offered = await listOffered({
    ...server,
    name: name ?? server.baseUrl,
    requestTimeoutMs: LIST_MS,
    idleTimeoutMs: LIST_MS,
  }, signal);
  const provider = name !== undefined && isPreset(name) ? name : null;
  return {
    provider,
    base_url: server.baseUrl,
    models: offered.toSorted((a, b) => a.id < b.id ? -1 : 1),
  };
}

function findServer(
  name: string | undefined,
  { models, ...sources }: { baseUrl: string | undefined; env: GetEnv; models: Config },
): Endpoint {
  if (name !== undefined && Object.hasOwn(models, name)) {
    return chooseEndpoint(name, { ...sources, entry: models[name]! });
  }
  if (name === undefined || isPreset(name)) return chooseServer(name ?? null, { ...sources, entry: {} });
  const known = [...PRESET_NAMES, ...Object.keys(models)];
  throw new ToolError(
    "invalid_input",
    `"${name}" is no provider and no model of the configuration${
      didYouMean(nearest(name, known)) || `: the providers are ${PRESET_NAMES.join(", ")}`
    }`,
    { details: { candidates: nearest(name, known) } },
  );
}

type Config = NonNullable<ReturnType<typeof configureHost>["loaded"]["config"]["models"]>;
