import type { SessionPolicy } from "../../../schemas/agent/session_settings.ts";
import { ToolError } from "../../../schemas/error.ts";
import { POLICY_NAMES } from "../../../schemas/grants.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import {
  commandPolicy,
  isPolicyName,
  isWiderPolicy,
  type NamedPolicy,
  namedPolicy,
} from "../../walls/grants/policies.ts";
import type { ConfigFile } from "./find_config.ts";
import type { Loaded, LoadedConfig } from "./loaded_config.ts";
import { strictestLimits } from "./strictest_limits.ts";

/**
 * Finds the policy of a run.
 *
 * @param name As the user gave it; the configuration's own choice if absent
 * @throws {ToolError} `invalid_input` with the names there are
 */
export function choosePolicy(name: string | undefined, { policies, policy }: LoadedConfig): NamedPolicy {
  if (name === undefined) return policy;
  const found = findPolicy(name, policies);
  if (found) return found;
  const names = [...POLICY_NAMES, ...Object.keys(policies)];
  const candidates = nearest(name, names, { max: 1 });
  const there = candidates.length > 0 ? `${didYouMean(candidates)} There are` : ": there are";
  throw new ToolError("invalid_input", `Unknown policy ${JSON.stringify(name)}${there} ${names.join(", ")}`, {
    details: { candidates },
  });
}

/**
 * Returns the policy of a session as it was. If the user had not named it, a configuration that is stricter now is
 * followed.
 */
export function keepPolicy(kept: SessionPolicy, now: NamedPolicy): NamedPolicy {
  const { name, base, allow, deny } = kept;
  const { without = [], share_net: shareNet = false, programs = {} } = kept;
  const own = { base, commands: { ...commandPolicy(base), name, allow, deny }, without, shareNet, programs };
  if (kept.named) return own;
  const { base: stricter, commands } = isWiderPolicy(base, now.base) ? now : own;
  const added = now.commands.deny.filter((rule) =>
    !deny.some((one) => JSON.stringify(one) === JSON.stringify(rule))
  );
  return {
    base: stricter,
    commands: {
      ...commands,
      allow: allow.length > 0 ? allow : now.commands.allow,
      deny: [...deny, ...added],
    },
    without: [...new Set([...without, ...now.without])],
    shareNet: shareNet && now.shareNet,
    programs: strictestLimits(programs, now.programs),
  };
}

export function findPolicy(name: string, policies: Loaded["policies"]): NamedPolicy | undefined {
  if (isPolicyName(name)) return namedPolicy(name, { base: name });
  return Object.hasOwn(policies, name) ? policies[name] : undefined;
}

export function unknownPolicy(file: ConfigFile, name: string, policies: Loaded["policies"]): ToolError {
  return unknownPolicyOf(`configuration "${file.path}"`, name, policies);
}

/** @param whose What names the policy, for the message */
export function unknownPolicyOf(whose: string, name: string, policies: Loaded["policies"]): ToolError {
  const names = [...POLICY_NAMES, ...Object.keys(policies)];
  return new ToolError(
    "configuration",
    `Cannot use ${whose}: policy ${JSON.stringify(name)} is not one of ${names.join(", ")}`,
  );
}
