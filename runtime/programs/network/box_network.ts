import type { Grants } from "../../../schemas/grants.ts";
import { programRules, reachesNothing } from "../../walls/net/net_rules.ts";

/** What a box has of the network: nothing, a way to the gate, or all of this machine's. */
export type BoxNetwork = "none" | "gate" | "machine";

/** Returns what the boxes of programs have. */
export function boxNetwork(grants: Grants): BoxNetwork {
  if (grants.shareNet) return "machine";
  return reachesNothing(programRules(grants)) ? "none" : "gate";
}

/** Says whether the user bounds what programs reach, which only a sandbox can hold. */
export function namesHosts({ netNamed, deny: { net } }: Grants): boolean {
  return (netNamed !== true && netNamed.length > 0) || net === true || net.length > 0;
}

/** Says what does not bind a box with the network of this machine. */
export function networkWarnings(grants: Grants): string[] {
  if (!grants.shareNet || !namesHosts(grants)) return [];
  return ["--share-net gives programs the network of this machine, whatever --allow-net and --deny-net say"];
}
