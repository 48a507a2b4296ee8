import type { Config, PolicyConfig, ProgramLimits } from "../../../../schemas/config.ts";
import { isPolicyName, ruleProblem } from "../../../walls/grants/policies.ts";

/** Largest bound of programs: systems cannot enforce a larger one. */
const MAX_BOUND = 1_000_000_000;

/** Says what is wrong with the policies of a configuration, beyond their schema. */
export function policyProblems({ policies = {} }: Config): string[] {
  return Object.entries(policies).flatMap(([name, policy]) => {
    const at = `policies.${name}`;
    return [
      ...(isPolicyName(name) ? [`${at} has the name of a built-in policy, choose another`] : []),
      ...(/^[A-Za-z][\w.-]{0,63}$/.test(name)
        ? []
        : [`${at} must be named by letters, digits, ".", "_" or "-"`]),
      ...rulesProblems(at, policy),
    ];
  });
}

/**
 * Says what is wrong with one policy, beyond its schema.
 *
 * @param at What messages call it
 */
export function rulesProblems(
  at: string,
  { base, allow = [], deny = [], write, programs = {} }: PolicyConfig,
): string[] {
  const rules = [
    ...allow.map((rule) => ["allow", rule] as const),
    ...deny.map((rule) => ["deny", rule] as const),
  ];
  return [
    ...(write && base !== "coder"
      ? [`${at}.write: the base "${base}" grants no writing, choose "coder"`]
      : []),
    ...boundProblems(`${at}.programs`, programs),
    ...rules.flatMap(([list, rule]) => {
      const problem = ruleProblem(rule);
      return problem === null ? [] : [`${at}.${list}: the rule ${JSON.stringify(rule)} ${problem}`];
    }),
  ];
}

/** Says what is wrong with bounds of programs, beyond their schema. */
export function boundProblems(at: string, bounds: Partial<ProgramLimits>): string[] {
  return Object.entries(bounds)
    .filter(([, bound]) => !Number.isInteger(bound) || bound > MAX_BOUND)
    .map(([name]) => `${at}.${name} must be a whole number, at most ${MAX_BOUND}`);
}
