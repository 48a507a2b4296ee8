import { AGENT_LIMITS } from "../../../schemas/agent/agent.ts";
import {
  AGENT_BOUNDS,
  type AgentBound,
  type AgentConfig,
  type Config,
  PROGRAM_LIMITS,
  type ProgramLimits,
} from "../../../schemas/config.ts";
import { POLICY_NAMES, type PolicyName } from "../../../schemas/grants.ts";
import { isPolicyName, type NamedPolicy, namedPolicy } from "../../walls/grants/policies.ts";
import { findPolicy, unknownPolicy } from "./choose_policy.ts";
import type { ConfigFile } from "./find_config.ts";
import type { Loaded } from "./loaded_config.ts";

/** Takes from the project's file what makes the run stricter, and tells of the rest. */
export function narrowConfig(user: Loaded, file: ConfigFile, warnings: string[]): Loaded {
  const { config } = file;
  const ignore = (field: string, why: string) =>
    warnings.push(`project configuration ${file.path}: ${field} ignored: ${why}`);
  for (const field of ["hooks", "audit", "models"] as const) {
    if (config[field] !== undefined) ignore(field, "not trusted");
  }
  const policies = projectPolicies(user, config, ignore);
  const policy = projectPolicy({ ...user, policies }, file, ignore);
  const projectTools = Object.fromEntries(
    Object.entries(config.tools ?? {}).map(([name, { permission, ...rest }]) => {
      if (permission === "allow") ignore(`tools.${name}.permission "allow"`, "not trusted");
      return [name, { ...rest, ...(permission && permission !== "allow" && { permission }) }];
    }),
  );
  const programs = lowerLimits(user.config.programs ?? {}, config.programs ?? {}, ignore);
  const agent = lowerAgent(user.config.agent ?? {}, config.agent ?? {}, ignore);
  const toolchains = projectToolchains(user.config, config, ignore);
  return { config: { ...user.config, programs, agent, ...toolchains }, policies, policy, projectTools };
}

type Ignore = (field: string, why: string) => void;

function projectPolicies(user: Loaded, config: Config, ignore: Ignore): Loaded["policies"] {
  const added = Object.entries(config.policies ?? {}).filter(([name, { base }]) => {
    const wider = width(base) < width(user.policy.base);
    if (wider) ignore(`policies.${name}`, `its base "${base}" is wider than "${user.policy.base}"`);
    const taken = Object.hasOwn(user.policies, name);
    if (taken) ignore(`policies.${name}`, "the user has a policy of this name");
    return !wider && !taken;
  }).map(([name, policy]) => [name, namedPolicy(name, policy)] as const);
  return { ...user.policies, ...Object.fromEntries(added) };
}

function projectPolicy(user: Loaded, file: ConfigFile, ignore: Ignore): NamedPolicy {
  const name = file.config.policy;
  if (name === undefined) return user.policy;
  const asked = findPolicy(name, user.policies);
  if (!asked && !Object.hasOwn(file.config.policies ?? {}, name)) {
    throw unknownPolicy(file, name, user.policies);
  }
  const { base, commands } = user.policy;
  if (!asked || width(asked.base) < width(base) || (asked.base === base && isPolicyName(name))) {
    if (name !== commands.name) ignore("policy", `"${name}" is not stricter than "${commands.name}"`);
    return user.policy;
  }
  if (commands.allow.length > 0 && asked.commands.allow.length > 0 && asked.commands.name !== commands.name) {
    ignore("policy", `its list of commands cannot be combined with that of "${commands.name}"`);
    return user.policy;
  }
  // The user's rules still hold.
  const allow = asked.commands.allow.length > 0 ? asked.commands.allow : commands.allow;
  return {
    ...asked,
    commands: { ...asked.commands, allow, deny: [...commands.deny, ...asked.commands.deny] },
  };
}

/** Wider policies have smaller numbers. */
function width(base: PolicyName): number {
  return POLICY_NAMES.indexOf(base);
}

function lowerLimits(
  user: Partial<ProgramLimits>,
  project: Partial<ProgramLimits>,
  ignore: Ignore,
): Partial<ProgramLimits> {
  const lowered: Partial<ProgramLimits> = { ...user };
  for (const [name, value] of Object.entries(project) as [keyof ProgramLimits, number][]) {
    const now = user[name] ?? PROGRAM_LIMITS[name];
    // For free space, a larger minimum is stricter.
    const looser = name === "free_disk_mb" ? value < now : value > now;
    if (looser) ignore(`programs.${name}`, `${value} is looser than ${now}`);
    else lowered[name] = value;
  }
  return lowered;
}

function projectToolchains(user: Config, project: Config, ignore: Ignore): Pick<Config, "toolchains"> {
  if (project.toolchains === "on" && user.toolchains === "off") {
    ignore("toolchains", `"on" is looser than "off"`);
  }
  return project.toolchains === "off" ? { toolchains: "off" } : {};
}

/** A project may not choose the model, which gets its data. */
function lowerAgent(user: AgentConfig, { model, ...project }: AgentConfig, ignore: Ignore): AgentConfig {
  if (model !== undefined) ignore("agent.model", "not trusted");
  const lowered: AgentConfig = { ...user };
  for (const [name, value] of Object.entries(project) as [AgentBound, number][]) {
    const now = user[name] ?? AGENT_LIMITS[AGENT_BOUNDS[name]] ?? Infinity;
    if (value > now) ignore(`agent.${name}`, `${value} is looser than ${now}`);
    else lowered[name] = value;
  }
  return lowered;
}
