import { firstSet, type GetEnv } from "./addresses.ts";
import { PRESET_NAMES, type PresetName, presetOf } from "./presets.ts";

/** A key that the environment holds, by its variable, and the provider that it is for. */
export interface FoundKey {
  provider: PresetName;
  variable: string;
}

/** Returns the keys of providers that the environment holds; never their values. */
export function findKeys(env: GetEnv): FoundKey[] {
  return PRESET_NAMES.flatMap((provider) => {
    const set = firstSet(presetOf(provider).keys, env);
    return set ? [{ provider, variable: set.name }] : [];
  });
}

/** Returns a sentence about the keys that were found and how each is used; empty without keys. */
export function tellKeys(keys: readonly FoundKey[]): string {
  if (keys.length === 0) return "";
  const told = keys.map(({ provider, variable }) => `${variable} (--model ${provider}/NAME)`);
  return `. Keys in the environment: ${told.join(", ")}; bulkhead models ${
    keys[0]!.provider
  } lists the names`;
}
