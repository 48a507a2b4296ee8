import { AGENT_LIMITS } from "../../../schemas/agent/agent.ts";
import {
  AGENT_BOUNDS,
  type AgentBound,
  type AgentConfig,
  type Config,
  type PermissionConfig,
  PROGRAM_LIMITS,
  type ProgramLimits,
  type SandboxConfig,
} from "../../../schemas/config.ts";
import { ACCESS_KINDS } from "../../../schemas/access.ts";
import { POLICY_NAMES, type PolicyName } from "../../../schemas/grants.ts";
import { isPolicyName, type NamedPolicy, namedPolicy } from "../../walls/grants/policies.ts";
import { isWiderMode } from "../../walls/box/choose_box.ts";
import { findPolicy, unknownPolicy } from "./choose_policy.ts";
import { type Ignore, narrowAgents } from "./narrow_agents.ts";
import type { ConfigFile } from "./find_config.ts";
import type { Loaded } from "./loaded_config.ts";
import { isLooser } from "./strictest_limits.ts";

/** What counts in the user's own file alone, with what to do about it. */
const NEVER_TAKEN = {
  hooks: "not trusted",
  audit: "not trusted",
  models: "not trusted",
  mcpServers: "name its servers in .mcp.json, which bulkhead trust shows to the user",
  mcp_context_limit: "not trusted",
  script_tools: "only the user's own configuration can name scripts",
} as const;

/** Takes from the project's file what makes the run stricter, and tells of the rest. */
export function narrowConfig(user: Loaded, file: ConfigFile, warnings: string[]): Loaded {
  const { config } = file;
  const ignore = (field: string, why: string) =>
    warnings.push(`project configuration ${file.path}: ${field} ignored: ${why}`);
  for (const [field, why] of Object.entries(NEVER_TAKEN)) {
    if (config[field as keyof typeof NEVER_TAKEN] !== undefined) ignore(field, why);
  }
  const policies = projectPolicies(user, config, ignore);
  const policy = projectPolicy({ ...user, policies }, file, ignore);
  const projectTools = Object.fromEntries(
    Object.entries(config.tools ?? {}).map(([name, { permission, response_type, ...rest }]) => {
      if (response_type !== undefined) ignore(`tools.${name}.response_type`, "not trusted");
      if (permission === "allow") ignore(`tools.${name}.permission "allow"`, "not trusted");
      return [name, { ...rest, ...(permission && permission !== "allow" && { permission }) }];
    }),
  );
  const projectLimits = lowerLimits(user.config.programs ?? {}, config.programs ?? {}, ignore);
  return {
    config: {
      ...user.config,
      programs: { ...user.config.programs, ...projectLimits },
      permissions: addDenials(user.config.permissions ?? {}, config.permissions ?? {}, ignore),
      sandbox: tightenSandbox(user.config.sandbox ?? {}, config.sandbox ?? {}, ignore),
      agent: lowerAgent(user.config.agent ?? {}, config.agent ?? {}, ignore),
    },
    ...{ policies, policy, projectTools, projectLimits },
    projectAgents: narrowAgents(config.agents ?? {}, ignore),
  };
}

function projectPolicies(user: Loaded, config: Config, ignore: Ignore): Loaded["policies"] {
  const added = Object.entries(config.policies ?? {}).filter(([name, { base }]) => {
    const wider = width(base) < width(user.policy.base);
    if (wider) ignore(`policies.${name}`, `its base "${base}" is wider than "${user.policy.base}"`);
    const taken = Object.hasOwn(user.policies, name);
    if (taken) ignore(`policies.${name}`, "the user has a policy of this name");
    return !wider && !taken;
  }).map(([name, { net, ...policy }]) => {
    if (net) ignore(`policies.${name}.net`, "not trusted");
    const bounds = { ...user.config.programs, ...user.policy.programs };
    const lower: Ignore = (field, why) => ignore(`policies.${name}.${field}`, why);
    const programs = { ...bounds, ...lowerLimits(bounds, policy.programs ?? {}, lower) };
    return [name, namedPolicy(name, { ...policy, programs, ...(net === false && { net }) })] as const;
  });
  return { ...user.policies, ...Object.fromEntries(added) };
}

function projectPolicy(user: Loaded, file: ConfigFile, ignore: Ignore): NamedPolicy {
  const name = file.config.policy;
  if (name === undefined) return user.policy;
  const asked = findPolicy(name, user.policies);
  if (!asked && !Object.hasOwn(file.config.policies ?? {}, name)) {
    throw unknownPolicy(file, name, user.policies);
  }
  const { base, commands, without, shareNet, programs } = user.policy;
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
    base: asked.base,
    commands: { ...asked.commands, allow, deny: [...commands.deny, ...asked.commands.deny] },
    without: [...new Set([...without, ...asked.without])],
    shareNet: shareNet && !asked.without.includes("net"),
    programs: {
      ...programs,
      ...lowerLimits({ ...user.config.programs, ...programs }, asked.programs, ignore),
    },
  };
}

/** Wider policies have smaller numbers. */
function width(base: PolicyName): number {
  return POLICY_NAMES.indexOf(base);
}

/** Returns the project's bounds that are stricter than those that hold. */
function lowerLimits(
  user: Partial<ProgramLimits>,
  project: Partial<ProgramLimits>,
  ignore: Ignore,
): Partial<ProgramLimits> {
  const lowered: Partial<ProgramLimits> = {};
  for (const [name, value] of Object.entries(project) as [keyof ProgramLimits, number][]) {
    const now = user[name] ?? PROGRAM_LIMITS[name];
    if (isLooser(name, value, now)) ignore(`programs.${name}`, `${value} is looser than ${now}`);
    else lowered[name] = value;
  }
  return lowered;
}

function addDenials(user: PermissionConfig, project: PermissionConfig, ignore: Ignore): PermissionConfig {
  const { deny = {}, ...rest } = project;
  for (const field of Object.keys(rest)) ignore(`permissions.${field}`, "not trusted");
  const both = ACCESS_KINDS.flatMap((kind) => {
    const lists = [user.deny?.[kind], deny[kind]].filter((list) => list !== undefined);
    if (lists.length === 0) return [];
    return [[kind, lists.includes(true) ? true : (lists as (readonly string[])[]).flat()]];
  });
  return { ...user, ...(both.length > 0 && { deny: Object.fromEntries(both) }) };
}

function tightenSandbox(user: SandboxConfig, project: SandboxConfig, ignore: Ignore): SandboxConfig {
  const { mode, share_net, toolchains, ...rest } = project;
  for (const field of Object.keys(rest)) ignore(`sandbox.${field}`, "not trusted");
  if (share_net) ignore("sandbox.share_net", "not trusted");
  if (toolchains === "on" && user.toolchains === "off") {
    ignore("sandbox.toolchains", `"on" is looser than "off"`);
  }
  const now = user.mode ?? "auto";
  const looser = mode !== undefined && isWiderMode(mode, now);
  if (looser) ignore("sandbox.mode", `"${mode}" is looser than "${now}"`);
  return {
    ...user,
    ...(mode !== undefined && !looser && { mode }),
    ...(share_net === false && { share_net }),
    ...(toolchains === "off" && { toolchains }),
  };
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
