import type { Quirks } from "../quirks/learn.ts";

/** How a provider is asked for its list of models. */
export interface ListForm {
  /** The header that takes the key. */
  keyHeader: string;
  headers: Readonly<Record<string, string>>;
  /** With its `?`. */
  query: string;
}

/** A provider of models, as data. Its models are named `PROVIDER/MODEL`. */
export interface Preset {
  /** Its OpenAI-compatible API. */
  baseUrl: string;
  /** Variables that hold its key; the first one that is set counts. */
  keys: readonly string[];
  /** It also answers without a key. @default false */
  keyless?: true;
  /** Variables with another address of it; the first one that is set counts. @default no variables */
  addresses?: readonly string[];
  /** Port of such an address without one. @default that of the protocol */
  port?: number;
  /** Fields of every request besides the usual ones. @default no fields */
  extraBody?: Readonly<Record<string, unknown>>;
  /** What is known of how it is asked. @default it is learned */
  quirks?: Readonly<Quirks>;
  /** Each reply says what it cost. @default false */
  reportsCost?: true;
  /** It makes calls of what its models write: a text that looks like a call is none. @default not known */
  makesCalls?: true;
  /** How it is asked for its list of models. @default as for all else */
  list?: ListForm;
}

/** The provider of names without one. */
export const OPENAI = "openai";

/** Every provider that is known by its name, in the order in which they are shown. */
export const PRESETS = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    addresses: ["OPENAI_BASE_URL", "OPENAI_API_BASE"],
    quirks: { newTokenLimit: true },
    makesCalls: true,
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    keys: ["ANTHROPIC_API_KEY"],
    addresses: ["ANTHROPIC_BASE_URL"],
    makesCalls: true,
    list: { keyHeader: "x-api-key", headers: { "anthropic-version": "2023-06-01" }, query: "?limit=1000" },
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    makesCalls: true,
  },
  openrouter: {
    baseUrl: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    extraBody: { usage: { include: true } },
    reportsCost: true,
  },
  groq: {
    baseUrl: "https://api.groq.com/openai/v1",
    keys: ["GROQ_API_KEY"],
    quirks: { noExtra: true },
    makesCalls: true,
  },
  deepseek: { baseUrl: "https://api.deepseek.com/v1", keys: ["DEEPSEEK_API_KEY"], makesCalls: true },
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    keys: ["MISTRAL_API_KEY"],
    quirks: { strictOrder: true },
    makesCalls: true,
  },
  xai: { baseUrl: "https://api.x.ai/v1", keys: ["XAI_API_KEY"], makesCalls: true },
  ollama: {
    baseUrl: "http://127.0.0.1:11434/v1",
    keys: ["OLLAMA_API_KEY"],
    keyless: true,
    addresses: ["OLLAMA_HOST"],
    port: 11434,
  },
  lmstudio: {
    baseUrl: "http://127.0.0.1:1234/v1",
    keys: ["LM_API_TOKEN"],
    keyless: true,
    addresses: ["LM_STUDIO_API_BASE"],
    port: 1234,
  },
  vllm: {
    baseUrl: "http://127.0.0.1:8000/v1",
    keys: ["VLLM_API_KEY"],
    keyless: true,
    addresses: ["HOSTED_VLLM_API_BASE"],
    port: 8000,
  },
} as const satisfies Readonly<Record<string, Preset>>;

/** The name of a provider that is known. */
export type PresetName = keyof typeof PRESETS;

/** All names, in their order. */
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

/** A name of a model that begins with a provider that is known. */
export interface PresetModel {
  provider: PresetName;
  preset: Preset;
  /** The name that the provider uses; it may hold slashes. */
  model: string;
}

/** Says whether a word is the name of a provider that is known. */
export function isPreset(word: string): word is PresetName {
  return Object.hasOwn(PRESETS, word);
}

/** Returns the provider of a name, seen as any provider. */
export function presetOf(name: PresetName): Preset {
  return PRESETS[name];
}

/** Takes a name such as `groq/llama` apart; `null` for a name that begins with no known provider. */
export function readPresetModel(name: string): PresetModel | null {
  const slash = name.indexOf("/");
  const provider = name.slice(0, Math.max(0, slash)).toLowerCase();
  return isPreset(provider) ? { provider, preset: presetOf(provider), model: name.slice(slash + 1) } : null;
}

/** Returns the provider whose own server a URL leads to, `null` for any other server. */
export function presetAt(url: URL): PresetName | null {
  return PRESET_NAMES.find((name) => new URL(presetOf(name).baseUrl).origin === url.origin) ?? null;
}
