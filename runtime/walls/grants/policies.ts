import type { AccessKind } from "../../../schemas/access.ts";
import type { CommandPolicy, CommandRule } from "../../../schemas/command.ts";
import type { PolicyConfig } from "../../../schemas/config.ts";
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

/** A policy: what it grants at first, and what it says about commands. */
export interface NamedPolicy {
  base: PolicyName;
  commands: CommandPolicy;
}

/** Makes a policy of a built-in one and rules about commands. */
export function namedPolicy(name: string, { base, allow = [], deny = [] }: PolicyConfig): NamedPolicy {
  const commands = { ...commandPolicy(base), name, allow: allow.map(readRule), deny: deny.map(readRule) };
  return { base, commands };
}

/** Says whether a policy allows more than another one. */
export function isWiderPolicy(policy: PolicyName, other: PolicyName): boolean {
  return POLICY_NAMES.indexOf(policy) < POLICY_NAMES.indexOf(other);
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
