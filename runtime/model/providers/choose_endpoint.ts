import type { ModelConfig } from "../../../schemas/config.ts";
import { addressOf, firstSet, type GetEnv, isLocal } from "./addresses.ts";
import { OPENAI, presetAt, type PresetName, presetOf, readPresetModel } from "./presets.ts";

/** Where a model is, and with what it is asked. */
export interface Endpoint {
  baseUrl: string;
  /** What named the base URL: a flag, a variable, or the configuration. */
  from: string;
  /** Names that the server may know the model by, best first. */
  names: readonly string[];
  /** Variables of the key; the first one that is set counts. */
  keys: readonly string[];
  /** It answers without a key. */
  keyless: boolean;
  headers: Readonly<Record<string, string>>;
  /** The provider whose model it is, if that is known. */
  provider: PresetName | null;
}

/** What the user says about where models are. */
export interface EndpointSources {
  /** `--base-url`. */
  baseUrl?: string | undefined;
  env: GetEnv;
  /** What the configuration says about the model. */
  entry: ModelConfig;
}

const URLS: readonly string[] = presetOf(OPENAI).addresses ?? [];
const OPENAI_KEYS = presetOf(OPENAI).keys;
/** Names that many programs use: they count only together. */
const PLAIN = { url: "API_BASE", key: "API_KEY", model: "MODEL_NAME" };

/** Returns the variable that names the model of runs without `--model`. */
export function namedModel(env: GetEnv): string | undefined {
  const plain = firstSet([PLAIN.url], env) ? [PLAIN.model] : [];
  return firstSet(["OPENAI_MODEL", ...plain], env)?.value;
}

/**
 * Decides where a model is. The flag comes before the environment, that before the configuration, and that before the
 * provider in the name. A key goes only to the server that it belongs to.
 */
export function chooseEndpoint(name: string, sources: EndpointSources): Endpoint {
  return byFlag(name, sources) ?? byEnvironment(name, sources) ?? byConfig(name, sources) ??
    byName(name, sources);
}

/** Decides where the models of a provider are; without a provider, of the server that a flag or a variable names. */
export function chooseServer(provider: PresetName | null, sources: EndpointSources): Endpoint {
  const name = provider === null ? "" : `${provider}/`;
  const server = provider === null || provider === OPENAI ? byEnvironment(name, sources) : null;
  return byFlag(name, sources) ?? server ?? byName(name, sources);
}

function byFlag(name: string, { baseUrl, env, entry }: EndpointSources): Endpoint | null {
  if (baseUrl === undefined) return null;
  const place = { baseUrl, from: "--base-url" };
  const headers = entry.headers ?? {};
  if (entry.api_key_env !== undefined) return { ...place, ...ownKey(name, baseUrl, entry) };
  const named = readPresetModel(name);
  // The key of the provider says that its server was moved; without it the whole name is the server's own.
  const at = providerAt(baseUrl);
  const moved = named && named.provider !== OPENAI && (at === null || at === named.provider) &&
    (named.preset.keyless || firstSet(named.preset.keys, env) !== undefined);
  if (!moved) return { ...place, ...ofServer(name, baseUrl, env), headers };
  const { provider, preset, model } = named;
  return { ...place, names: [model, name], keys: preset.keys, keyless: isFree(baseUrl), headers, provider };
}

function byEnvironment(name: string, { env, entry }: EndpointSources): Endpoint | null {
  const set = firstSet([...URLS, PLAIN.url], env);
  if (!set) return null;
  const named = readPresetModel(name)?.provider ?? OPENAI;
  // OpenAI's own address moves nothing: it has no models of others.
  if (named !== OPENAI && providerAt(set.value) === OPENAI) return null;
  const place = { baseUrl: set.value, from: set.name };
  // What the configuration says of its own server is not for another one.
  const own = entry.base_url === undefined || isSame(entry.base_url, set.value) ? entry : {};
  if (own.api_key_env !== undefined) return { ...place, ...ownKey(name, set.value, own) };
  const server = ofServer(name, set.value, env);
  const keys = set.name === PLAIN.url ? [PLAIN.key] : server.keys;
  return { ...place, ...server, keys, headers: own.headers ?? {} };
}

function byConfig(name: string, { entry }: EndpointSources): Endpoint | null {
  const { base_url: baseUrl, headers = {} } = entry;
  if (baseUrl === undefined) return null;
  const place = { baseUrl, from: "the base URL" };
  if (entry.api_key_env !== undefined) return { ...place, ...ownKey(name, baseUrl, entry) };
  const provider = providerAt(baseUrl);
  const keys = provider === null ? [] : presetOf(provider).keys;
  const keyless = provider === null || hasFields(headers);
  return { ...place, names: namesOf(name, baseUrl), keys, keyless, headers, provider };
}

function byName(name: string, { env, entry }: EndpointSources): Endpoint {
  const named = readPresetModel(name);
  const provider = named?.provider ?? OPENAI;
  const preset = presetOf(provider);
  const { baseUrl, from = "the base URL" } = addressOf(preset, env);
  const names = [named?.model ?? name];
  const headers = entry.headers ?? {};
  const place = { baseUrl, from, names, provider };
  if (entry.api_key_env !== undefined) {
    return { ...place, ...ownKey(name, baseUrl, entry), names, provider };
  }
  return { ...place, keys: preset.keys, keyless: preset.keyless ?? hasFields(headers), headers };
}

/** The key that the configuration names for a model. */
function ownKey(name: string, baseUrl: string, { api_key_env, headers = {} }: ModelConfig) {
  const provider = providerAt(baseUrl);
  return { names: namesOf(name, baseUrl), keys: [api_key_env!], keyless: false, headers, provider };
}

function providerAt(baseUrl: string): PresetName | null {
  const url = URL.parse(baseUrl);
  return url && presetAt(url);
}

/** The key of OpenAI's variables goes to the server that they, or the flag, name. */
function ofServer(name: string, baseUrl: string, env: GetEnv) {
  const provider = providerAt(baseUrl);
  const own = provider === null ? [] : presetOf(provider).keys;
  const keys = [...(firstSet(own, env) ? own : []), ...OPENAI_KEYS];
  return { names: namesOf(name, baseUrl), keys, keyless: isFree(baseUrl), provider };
}

/** Says whether a server may have no keys: one of this machine or of the local network. */
export function isFree(baseUrl: string): boolean {
  return isLocal(URL.parse(baseUrl)?.hostname ?? "");
}

/** A server of its own may have models whose names begin like a provider; a provider has none that begin like itself. */
function namesOf(name: string, baseUrl: string): string[] {
  const named = readPresetModel(name);
  if (!named || named.model === "") return [name];
  return named.provider === providerAt(baseUrl) ? [named.model] : [name, named.model];
}

function isSame(a: string, b: string): boolean {
  const origin = URL.parse(a)?.origin;
  return origin !== undefined && origin === URL.parse(b)?.origin;
}

function hasFields(fields: object): boolean {
  return Object.keys(fields).length > 0;
}
