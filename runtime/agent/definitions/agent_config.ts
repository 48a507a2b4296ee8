import { ACCESS_KINDS } from "../../../schemas/access.ts";
import { AGENT_LIMITS } from "../../../schemas/agent/agent.ts";
import {
  AGENT_BOUNDS,
  type AgentBound,
  type AgentConfig,
  type PermissionConfig,
} from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import type { AgentDefinition, AgentGrantConfig } from "../../../schemas/step/agent_definition.ts";
import { findPolicy, unknownPolicyOf } from "../../host/config/choose_policy.ts";
import type { LoadedConfig } from "../../host/config/loaded_config.ts";
import { isPolicyName, isWiderPolicy, type NamedPolicy } from "../../walls/grants/policies.ts";
import type { KnownAgent } from "./known_agents.ts";

/** The configuration of an agent's run, and what of the agent does not count there. */
export interface AgentConfiguration {
  loaded: LoadedConfig;
  /** A sentence each. */
  warnings: readonly string[];
}

/** Stands for all MCP servers of the configuration. */
export const ALL_SERVERS = "*";

/**
 * Returns the configuration with what an agent says in the place of it: bounds, permissions, policy and MCP servers. Flags
 * count before both. What a project says can only make the run stricter.
 *
 * @throws {ToolError} `configuration` for a policy or a server that is not there
 */
export function configureAgent(agent: KnownAgent, loaded: LoadedConfig): AgentConfiguration {
  const warnings: string[] = [];
  const { definition, narrower, extras, path } = agent;
  const isTrusted = agent.origin !== "project";
  const ignore = (field: string, why: string) =>
    void warnings.push(`agent ${agent.name}: ${field} ignored: ${why}`);
  const wider = isTrusted ? [definition] : [];
  const stricter = [...isTrusted ? [] : [definition], ...narrower === null ? [] : [narrower]];
  const hasSecrets = extras !== null && (extras.apiKey !== null || Object.keys(extras.variables).length > 0);
  // Its keys are not for tools, and no tool changes what a later run reads.
  const ownFile = agent.origin === "file" && path !== null
    ? { write: [path], ...hasSecrets && { read: [path] } }
    : {};
  return {
    warnings,
    loaded: {
      ...loaded,
      policy: policyOf({ wider, stricter }, loaded, { name: agent.name, ignore }),
      config: {
        ...loaded.config,
        agent: boundsOf({ wider, stricter }, loaded.config.agent ?? {}, ignore),
        permissions: permissionsOf(
          [
            ...wider.flatMap(({ grants }) => grants ?? []),
            ...stricter.map(({ grants }) => ({ deny: grants?.deny ?? {} })),
          ],
          loaded.config.permissions ?? {},
          ownFile,
        ),
        mcpServers: extras === null ? serversOf(agent, loaded) : {},
      },
      projectAdds: loaded.projectAdds.filter(({ kind }) => kind !== "servers" || usesAll(definition)),
    },
  };
}

/** Which of the definitions may grant, and which may not. */
interface Parts {
  wider: readonly AgentDefinition[];
  stricter: readonly AgentDefinition[];
}

type Ignore = (field: string, why: string) => void;

function boundsOf({ wider, stricter }: Parts, agent: AgentConfig, ignore: Ignore): AgentConfig {
  let bounds = wider.reduce((all, definition) => ({ ...all, ...limitsOf(definition) }), agent);
  for (const definition of stricter) {
    for (const [name, value] of Object.entries(limitsOf(definition)) as [AgentBound, number][]) {
      const now = bounds[name] ?? AGENT_LIMITS[AGENT_BOUNDS[name]] ?? Infinity;
      if (value > now) ignore(`limits.${name}`, `${value} is looser than ${now}`);
      else bounds = { ...bounds, [name]: value };
    }
  }
  return bounds;
}

function policyOf(
  { wider, stricter }: Parts,
  loaded: LoadedConfig,
  { name, ignore }: { name: string; ignore: Ignore },
): NamedPolicy {
  let policy = loaded.policy;
  const named = ({ grants }: AgentDefinition) => {
    if (grants?.policy === undefined) return null;
    const found = findPolicy(grants.policy, loaded.policies);
    if (found) return found;
    throw unknownPolicyOf(`agent "${name}"`, grants.policy, loaded.policies);
  };
  for (const definition of wider) policy = named(definition) ?? policy;
  for (const definition of stricter) {
    const asked = named(definition);
    if (asked === null) continue;
    // The rules of another policy would be lost.
    const isPlain = isPolicyName(policy.commands.name);
    if (isPlain && isWiderPolicy(policy.base, asked.base) && !asked.shareNet) policy = asked;
    else ignore("grants.policy", `"${asked.commands.name}" is not stricter than "${policy.commands.name}"`);
  }
  return policy;
}

/** The limits of an agent; one of its searches may stand with what it says of them. */
function limitsOf({ limits, search: { max_searches } = {} }: AgentDefinition): AgentConfig {
  return { ...max_searches !== undefined && { max_searches }, ...limits };
}

function permissionsOf(
  grants: readonly AgentGrantConfig[],
  permissions: PermissionConfig,
  ownFile: Lists,
): PermissionConfig {
  return {
    ...permissions,
    allow: joined([permissions.allow, ...grants.map(({ allow }) => allow)]),
    deny: joined([permissions.deny, ...grants.map(({ deny }) => deny), ownFile]),
  };
}

type Lists = NonNullable<PermissionConfig["deny"]>;

function joined(lists: readonly (Lists | undefined)[]): Lists {
  return Object.fromEntries(ACCESS_KINDS.flatMap((kind) => {
    const all = lists.flatMap((list) => list?.[kind] === undefined ? [] : [list[kind]]);
    if (all.length === 0) return [];
    return [[kind, all.includes(true) ? true : (all as (readonly string[])[]).flat()]];
  }));
}

function usesAll({ mcp, tools }: AgentDefinition): boolean {
  return mcp === undefined ? tools === undefined : mcp.includes(ALL_SERVERS);
}

/** The servers of the configuration that an agent uses. */
function serversOf(
  { name, definition }: KnownAgent,
  { config }: LoadedConfig,
): Record<string, Record<string, unknown>> {
  const servers = config.mcpServers ?? {};
  if (usesAll(definition)) return { ...servers };
  return Object.fromEntries((definition.mcp ?? []).map((server) => {
    if (Object.hasOwn(servers, server)) return [server, servers[server]!];
    const names = Object.keys(servers);
    const hint = didYouMean(nearest(server, names, { max: 1 })) ||
      (names.length > 0 ? `: there are ${names.join(", ")}` : ": mcpServers names none");
    throw new ToolError(
      "configuration",
      `Agent "${name}" uses the MCP server "${server}", which is not configured${hint}`,
    );
  }));
}
