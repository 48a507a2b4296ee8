import type { AccessKind } from "../../../schemas/access.ts";
import type { CommandFilter, CommandPolicy, CommandRule } from "../../../schemas/command.ts";
import type { OwnPolicy, ProgramLimits } from "../../../schemas/config.ts";
import { POLICY_NAMES, type PolicyName, type Scope } from "../../../schemas/grants.ts";

/** In a list of hosts: every host with a public address. */
export const PUBLIC_HOSTS = "public";

/** In a list of programs: every program, as long as it runs in a box. */
export const BOXED_PROGRAMS = "boxed";

/** What each policy grants before flags, for a workspace. */
export function policyScopes(policy: PolicyName, workspace: string): Record<AccessKind, Scope> {
  return {
    read: [workspace],
    write: policy === "coder" ? [workspace] : [],
    net: policy === "read-only-no-net" ? [] : [PUBLIC_HOSTS],
    run: [BOXED_PROGRAMS],
  };
}

/** What each policy says about commands. */
const LEVELS: Readonly<Record<PolicyName, CommandPolicy["level"]>> = {
  "coder": "free",
  "read-only": "no-write",
  "read-only-no-net": "listed",
};

/** Returns what a policy says about commands, without rules of the user's own. */
export function commandPolicy(policy: PolicyName): CommandPolicy {
  return { name: policy, level: LEVELS[policy], allow: [], deny: [] };
}

/** A policy: what it grants at first, what it says about commands, and its bounds. */
export interface NamedPolicy {
  base: PolicyName;
  commands: CommandPolicy;
  /** Kinds that it takes away whatever flags say. */
  without: readonly AccessKind[];
  /** Programs have the network of this machine. */
  shareNet: boolean;
  /** Bounds of programs, in the place of the usual ones. */
  programs: Partial<ProgramLimits>;
  /** Judges each command after the rules. */
  filter?: CommandFilter;
}

/** Makes a policy of a built-in one, rules about commands, and bounds. */
export function namedPolicy(name: string, config: OwnPolicy): NamedPolicy {
  const { base, allow = [], deny = [], programs = {}, filter } = config;
  const commands = { ...commandPolicy(base), name, allow: allow.map(readRule), deny: deny.map(readRule) };
  const without = (["write", "net"] as const).filter((kind) => config[kind] === false);
  return { base, commands, without, shareNet: config.net === true, programs, ...(filter && { filter }) };
}

/** Says whether a policy allows more than another one. */
export function isWiderPolicy(policy: PolicyName, other: PolicyName): boolean {
  return POLICY_NAMES.indexOf(policy) < POLICY_NAMES.indexOf(other);
}

/** Returns the one of two policies that allows less. */
export function stricterPolicy(policy: PolicyName, other: PolicyName): PolicyName {
  return isWiderPolicy(policy, other) ? other : policy;
}

/** Says whether a name is that of a built-in policy. */
export function isPolicyName(name: string): name is PolicyName {
  return POLICY_NAMES.some((known) => known === name);
}

/** Says what is wrong with a rule, `null` if it is valid. */
export function ruleProblem(rule: string | CommandRule): string | null {
  const { program, options = [] } = readRule(rule);
  if (program === "") return "must name a program";
  if (typeof rule === "string" && options.length > 1) {
    return 'names several options: write an object with "program", "words" and "options", of which one must be there';
  }
  return null;
}

/** Reads a rule: `"git push --force"` is a program, the words that must follow it, and an option. */
export function readRule(rule: string | CommandRule): CommandRule {
  if (typeof rule !== "string") return rule;
  const [program = "", ...rest] = rule.trim().split(/\s+/);
  const words = rest.filter((word) => !word.startsWith("-"));
  const options = rest.filter((word) => word.startsWith("-"));
  return { program, ...(words.length > 0 && { words }), ...(options.length > 0 && { options }) };
}
