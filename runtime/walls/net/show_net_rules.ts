import type { NetRules } from "../../../schemas/net.ts";
import { PUBLIC_HOSTS } from "../grants/policies.ts";
import { reachesNothing } from "./net_rules.ts";

/** Returns the hosts that rules let through, as part of a sentence; `""` if they let nothing through. */
export function showNetRules(rules: NetRules): string {
  const { allow, deny, private: open } = rules;
  if (reachesNothing(rules)) return "";
  const isPublic = allow === true || allow.includes(PUBLIC_HOSTS);
  const named = isPublic ? [] : allow;
  const reached = [
    ...isPublic ? ["all public hosts"] : named,
    ...open === true ? ["private addresses"] : open.filter((word) => !named.includes(word)),
  ];
  // Everything denied lets nothing through.
  return [...reached, ...deny === true || deny.length === 0 ? [] : [`but not ${deny.join(", ")}`]].join(", ");
}
