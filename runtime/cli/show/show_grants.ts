import { join } from "@std/path";

import { ACCESS_KINDS, type Needs } from "../../../schemas/access.ts";
import type { Grants, Scope } from "../../../schemas/grants.ts";
import { APART_FOLDER } from "../../../schemas/program.ts";
import type { NetRules } from "../../../schemas/net.ts";
import { linkedRepository } from "../../programs/git/linked_repository.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { BOXED_PROGRAMS } from "../../walls/grants/policies.ts";
import { programRules, toolRules } from "../../walls/net/net_rules.ts";
import { showNetRules } from "../../walls/net/show_net_rules.ts";

/** Where programs run, and what they can touch. */
export interface ProgramsShown {
  boxed: boolean;
  /** The wall is Landlock. @default another one, or none */
  wall?: "landlock";
  run: Scope;
  write: Scope;
  /** They have all of this machine's network. */
  network: boolean;
  /** What the gate lets them reach, `null` if nothing stands between. */
  net: NetRules | null;
  /** The git folder outside of the workspace that it belongs to, and which they see. @default none */
  repository?: string | undefined;
  /** They run apart from the user's files, on this machine or elsewhere. @default beside them */
  apart?: "here" | "elsewhere";
}

/** What calls may touch at most. */
export interface GrantsShown {
  policy: string;
  workspace: string;
  read: Scope;
  write: Scope;
  /** What tools reach through the gate. */
  net: NetRules;
  deny: Grants["deny"];
  secrets: readonly string[];
  programs: ProgramsShown;
}

/** Returns what calls may touch at most, whatever their tool. */
export function describeGrants(
  grants: Grants,
  walls: Pick<ProgramsShown, "boxed" | "wall">,
): GrantsShown {
  const { commands, workspace, allow, deny, secrets } = grants;
  return {
    ...{ policy: commands.name, workspace, read: allow.read, write: allow.write, deny, secrets },
    net: toolRules("granted", grants),
    programs: describePrograms(grants, { ...walls, needs: null }),
  };
}

/** Returns where programs would run, and what they could write; `needs` narrows it. */
export function describePrograms(
  grants: Grants,
  { boxed, wall, needs }: Pick<ProgramsShown, "boxed" | "wall"> & { needs: Needs | null },
): ProgramsShown {
  const { run, write } = grants.allow;
  const isOpen = !boxed || (grants.shareNet && needs === null);
  const mayWrite = needs !== null && needs.write === undefined ? [] : write;
  const linked = boxed && needs === null ? linkedRepository(join(grants.workspace, ".git")) : null;
  return {
    boxed,
    ...(wall && { wall }),
    run,
    write: boxed ? mayWrite : true,
    network: isOpen,
    ...(linked && "common" in linked && { repository: linked.common }),
    net: isOpen ? null : needs === null ? programRules(grants) : toolRules(needs.net ?? [], grants),
  };
}

/** Returns the same of programs that run apart from the user's files, in a sandbox; what is elsewhere has no walls of ours. */
export function apartPrograms(programs: ProgramsShown, { isRemote }: { isRemote: boolean }): ProgramsShown {
  if (!isRemote) return { ...programs, write: [APART_FOLDER], apart: "here", repository: undefined };
  return { ...programs, boxed: false, write: true, network: true, net: null, apart: "elsewhere" };
}

/** Returns the lines about what calls may touch. */
export function showGrants({ policy, workspace, deny, secrets, programs, ...tools }: GrantsShown): string[] {
  const denied = ACCESS_KINDS.filter((kind) => deny[kind] === true || deny[kind].length > 0);
  return [
    `policy   ${onOneLine(policy)}`,
    `works in ${onOneLine(workspace)}`,
    "tools",
    `  read   ${scopeText(tools.read)}`,
    `  write  ${scopeText(tools.write)}`,
    `  net    ${showNet(tools.net)}`,
    ...showPrograms(programs),
    ...denied.map((kind) => `denied   ${kind} ${scopeText(deny[kind])}`),
    ...secrets.length > 0 ? [`secrets  ${scopeText(secrets)}`] : [],
  ];
}

/** Returns the lines about programs. */
export function showPrograms({ boxed, wall, run, write, net, apart, repository }: ProgramsShown): string[] {
  if (apart === "elsewhere") return ["programs in the remote sandbox, with all that it gives them"];
  const where = wall
    ? "behind Landlock, which holds less than a sandbox of namespaces"
    : boxed
    ? "in the sandbox"
    : "without a sandbox, with all that you may do";
  return [
    `programs ${apart ? "in the private sandbox of the session" : where}`,
    `  run    ${run !== true && run.includes(BOXED_PROGRAMS) ? "any, in a sandbox only" : scopeText(run)}`,
    `  write  ${scopeText(write)}`,
    ...(repository ? [`  git    ${onOneLine(repository)}, without its hooks and settings`] : []),
    `  net    ${net === null ? "everything, this machine's own addresses included" : showNet(net)}`,
  ];
}

/** Returns the hosts that rules let through, or `nothing`. */
export function showNet(rules: NetRules | null): string {
  return onOneLine(rules === null ? "" : showNetRules(rules)) || "nothing";
}

/** Returns the paths, hosts or programs of a scope, `everything`, or `nothing`. */
export function scopeText(scope: Scope): string {
  return scope === true ? "everything" : [...new Set(scope.map(onOneLine))].join(", ") || "nothing";
}
