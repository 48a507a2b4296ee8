import type { AccessKind } from "../../../schemas/access.ts";
import type { CommandPolicy } from "../../../schemas/command.ts";
import type { PolicyName, Scope } from "../../../schemas/grants.ts";

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
