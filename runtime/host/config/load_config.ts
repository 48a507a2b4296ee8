import { AGENT_LIMITS } from "../../../schemas/agent/agent.ts";
import {
  AGENT_BOUNDS,
  type AgentBound,
  type AgentConfig,
  type Config,
  PROGRAM_LIMITS,
  type ProgramLimits,
  type ToolConfig,
} from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import { POLICY_NAMES, type PolicyName } from "../../../schemas/grants.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import type { Permission } from "../../../schemas/permission.ts";
import { checkConfig } from "./check_config.ts";
import { type ConfigFile, type ConfigPlaces, findProjectFile, findUserFile } from "./find_config.ts";
import { isPolicyName, type NamedPolicy, namedPolicy } from "../../walls/grants/named_policy.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";

/** All configuration of a run, understood. */
export interface LoadedConfig {
  /** The user's file, with what the project's may lower. */
  config: Config;
  /** By name: those of the user, and of the project as far as it may. */
  policies: Readonly<Record<string, NamedPolicy>>;
  /** The policy of runs that name none. */
  policy: NamedPolicy;
  /** What the project's file says about tools: it holds beside the user's word, never instead. */
  projectTools: Readonly<Record<string, ToolConfig>>;
  /** Real paths of the files that were read. */
  userFile: string | null;
  projectFile: string | null;
  /** What was ignored, and why. */
  warnings: readonly string[];
}

/**
 * Reads the user's configuration and the project's. The project's comes with the workspace and is not trusted: it can
 * make the run stricter and nothing else, and what else it says is ignored with a warning. Needs `read` of the files.
 *
 * @param tools All tools, so that a misspelt name is noticed
 * @throws {ToolError} `configuration` for a file that cannot be used
 */
export function loadConfig(places: ConfigPlaces, tools: readonly ManifestEntry[]): LoadedConfig {
  const user = findUserFile(places);
  const project = findProjectFile(places.workspace);
  // A file that the user names is the user's, wherever it lies.
  const untrusted = project && project.real !== user?.real ? project : null;
  const warnings: string[] = [];
  const files = [user, untrusted].filter((file) => file !== null);
  for (const file of files) warnings.push(...checkConfig(file, tools));
  const loaded = trusted(user);
  return {
    ...(untrusted ? narrow(loaded, untrusted, warnings) : loaded),
    userFile: user?.real ?? null,
    projectFile: untrusted?.real ?? null,
    warnings,
  };
}

/**
 * Finds the policy of a run.
 *
 * @param name As the user gave it; the configuration's own choice if absent
 * @throws {ToolError} `invalid_input` with the names there are
 */
export function choosePolicy(name: string | undefined, { policies, policy }: LoadedConfig): NamedPolicy {
  if (name === undefined) return policy;
  const found = findPolicy(name, policies);
  if (found) return found;
  const names = [...POLICY_NAMES, ...Object.keys(policies)];
  const candidates = nearest(name, names, { max: 1 });
  const there = candidates.length > 0 ? `${didYouMean(candidates)} There are` : ": there are";
  throw new ToolError("invalid_input", `Unknown policy ${JSON.stringify(name)}${there} ${names.join(", ")}`, {
    details: { candidates },
  });
}

/** Returns a tool as the user configured it. */
export function applyToolConfig(entry: ManifestEntry, { config, projectTools }: LoadedConfig): ManifestEntry {
  const own = mostExact(config.tools ?? {}, entry.full_name, "timeout_seconds");
  const projects = mostExact(projectTools, entry.full_name, "timeout_seconds");
  const [permission] = mostExact(config.tools ?? {}, entry.full_name, "permission");
  const usual = entry.limits.timeout_ms === null ? Infinity : entry.limits.timeout_ms / 1000;
  const seconds = Math.min(...(own.length > 0 ? own : [usual]), ...projects);
  return {
    ...entry,
    limits: { ...entry.limits, timeout_ms: seconds === Infinity ? null : seconds * 1000 },
    permission: permission ?? entry.permission,
  };
}

/** Returns all that must let a call of a tool through: the user's word, or else the tool's own, and the project's. */
export function permissionsOf(entry: ManifestEntry, { config, projectTools }: LoadedConfig): Permission[] {
  const own = mostExact(config.tools ?? {}, entry.full_name, "permission");
  const projects = mostExact(projectTools, entry.full_name, "permission");
  return [...(own.length > 0 ? own : [entry.permission]), ...projects];
}

/**
 * Returns what the most exact of the matching entries that have a field say: one without `*`, else the one with the
 * longest text beside it. Several are as exact as each other: `par/*` and `*bash`.
 */
export function mostExact<Entry extends object, Field extends keyof Entry>(
  entries: Readonly<Record<string, Entry>>,
  toolName: string,
  field: Field,
): NonNullable<Entry[Field]>[] {
  const found = Object.entries(entries).flatMap(([pattern, entry]) => {
    const value = entry[field];
    if (value === undefined || value === null || !matchesPattern(pattern, toolName)) return [];
    const exactness = pattern.includes("*") ? pattern.replaceAll("*", "").length : Infinity;
    return [{ exactness, value }];
  });
  const most = Math.max(...found.map(({ exactness }) => exactness));
  return found.filter(({ exactness }) => exactness === most).map(({ value }) => value);
}

type Loaded = Omit<LoadedConfig, "userFile" | "projectFile" | "warnings">;

function trusted(file: ConfigFile | null): Loaded {
  const config = file?.config ?? {};
  const policies = Object.fromEntries(
    Object.entries(config.policies ?? {}).map(([name, policy]) => [name, namedPolicy(name, policy)]),
  );
  const policy = findPolicy(config.policy ?? "coder", policies);
  if (policy) return { config, policies, policy, projectTools: {} };
  throw unknownPolicy(file!, config.policy!, policies);
}

function findPolicy(name: string, policies: Loaded["policies"]): NamedPolicy | undefined {
  if (isPolicyName(name)) return namedPolicy(name, { base: name });
  return Object.hasOwn(policies, name) ? policies[name] : undefined;
}

function unknownPolicy(file: ConfigFile, name: string, policies: Loaded["policies"]): ToolError {
  const names = [...POLICY_NAMES, ...Object.keys(policies)];
  return new ToolError(
    "configuration",
    `Cannot use configuration "${file.path}": policy ${JSON.stringify(name)} is none of ${names.join(", ")}`,
  );
}

/** Takes from the project's file what makes the run stricter, and tells of the rest. */
function narrow(user: Loaded, file: ConfigFile, warnings: string[]): Loaded {
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
  return { config: { ...user.config, programs, agent }, policies, policy, projectTools };
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
  // The user's rules go on to hold.
  const allow = asked.commands.allow.length > 0 ? asked.commands.allow : commands.allow;
  return {
    ...asked,
    commands: { ...asked.commands, allow, deny: [...commands.deny, ...asked.commands.deny] },
  };
}

/** The wider, the less. */
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
    // Of free space, more is stricter.
    const looser = name === "free_disk_mb" ? value < now : value > now;
    if (looser) ignore(`programs.${name}`, `${value} is looser than ${now}`);
    else lowered[name] = value;
  }
  return lowered;
}

/** A project does not choose who is told of it. */
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
