import type { CommandPolicy, CommandRule } from "../../../schemas/command.ts";
import type { PolicyConfig } from "../../../schemas/config.ts";
import { POLICY_NAMES, type PolicyName } from "../../../schemas/grants.ts";
import { commandPolicy } from "./policies.ts";

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

/** Says whether a name is that of a built-in policy. */
export function isPolicyName(name: string): name is PolicyName {
  return POLICY_NAMES.some((known) => known === name);
}

/** Says what is wrong with a rule, `null` if nothing is. */
export function ruleProblem(rule: string | CommandRule): string | null {
  const { program, options = [] } = readRule(rule);
  if (program === "") return "must name a program";
  if (typeof rule === "string" && options.length > 1) {
    return 'names several options: write an object with "program", "words" and "options", of which one must be there';
  }
  return null;
}

/** `"git push --force"` is a program, the words that must follow it, and an option. */
function readRule(rule: string | CommandRule): CommandRule {
  if (typeof rule !== "string") return rule;
  const [program = "", ...rest] = rule.trim().split(/\s+/);
  const words = rest.filter((word) => !word.startsWith("-"));
  const options = rest.filter((word) => word.startsWith("-"));
  return { program, ...(words.length > 0 && { words }), ...(options.length > 0 && { options }) };
}
