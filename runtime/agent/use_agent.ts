import { dirname } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import type { AgentModelConfig } from "../../schemas/step/agent_definition.ts";
import type { ToolChoice } from "../calls/catalog/choose_tools.ts";
import type { LoadedConfig } from "../host/config/loaded_config.ts";
import type { HostSettings } from "../host/host_settings.ts";
import { plainName } from "../text/spelled_like.ts";
import { SERVERS_TOOLSET } from "../text/tool_names.ts";
import type { AgentSettings, AgentTask, ModelWish } from "./agent_settings.ts";
import { configureAgent } from "./definitions/agent_config.ts";
import { executorsOf, toolsBeside } from "./definitions/executors.ts";
import { findAgent, type KnownAgent, knownAgents, usualAgent } from "./definitions/known_agents.ts";
import { projectTools } from "./definitions/project_agent.ts";

/** What of a run's settings an agent changes. */
export type AgentBasis =
  & Pick<AgentSettings, "host" | "manifest" | "tools" | "model" | "thinking">
  & { task: Pick<AgentTask, "agent"> };

/** A run as its agent makes it. */
export interface UsedAgent<Settings extends AgentBasis> {
  settings: Settings;
  loaded: LoadedConfig;
  agent: KnownAgent;
}

/** The variables by which tools for the web are told their settings. How often it searches is a limit of each task. */
const SEARCH_VARIABLES = {
  engine: "SGR__SEARCH__ENGINE",
  max_results: "SGR__SEARCH__MAX_RESULTS",
  content_limit: "SGR__SEARCH__CONTENT_LIMIT",
} as const;

/** How variables of single tools begin. */
const TOOL_VARIABLES = "SGR__TOOLS__";

/**
 * Puts the agent of a run into its settings and its configuration, the one place where that happens: flags and options of
 * an embedding program count before the agent, the agent before the configuration. Needs `read` of the file of agents.
 *
 * @throws {ToolError} `invalid_input` for an unknown agent, `configuration` for one that cannot be used, `unauthenticated`
 * if the key of its model is missing
 */
export async function useAgent<Settings extends AgentBasis>(
  settings: Settings,
  given: LoadedConfig,
): Promise<UsedAgent<Settings>> {
  const { host, manifest, task: { agent: wish = {} }, thinking } = settings;
  const { env, grants, places: { cwd } } = host;
  const known = await knownAgents(wish, { manifest, loaded: given, cwd, env, grants });
  const agent = findAgent(wish.name ?? usualAgent(known, wish), known);
  const { loaded, warnings } = configureAgent(agent, given);
  const executors = executorsOf(agent, known);
  const beside = toolsBeside(executors, agent.definition.tools, manifest);
  const places = { manifest, path: given.projectFile, beside };
  const { tools: used, untold } = toolsOf(settings.tools, agent, places);
  const within = settings.tools === "none" ? undefined : settings.tools.within;
  const tools = used === "none" || within === undefined ? used : { ...used, within };
  for (const warning of [...known.warnings, ...agent.warnings, ...warnings, ...untold]) host.warn(warning);
  const { definition } = agent;
  const { kind, must_call, prompts } = definition;
  const model = modelOf(settings.model, agent, host);
  return {
    agent,
    loaded,
    settings: {
      ...settings,
      host: hostOf(host, agent, model),
      tools,
      model,
      thinking: {
        ...kind && { kind },
        ...must_call !== undefined && { must_call },
        ...prompts && { prompts },
        ...executors && { executors },
        ...thinking,
      },
    },
  };
}

/** The tools of a run, and what a project says of them in vain. */
interface UsedTools {
  tools: ToolChoice | "none";
  /** A sentence each. */
  untold: readonly string[];
}

/** Tools that the user chose are the choice; else there are also those that executors have beside. */
function toolsOf(
  said: ToolChoice | "none",
  agent: KnownAgent,
  places: { manifest: Manifest; path: string | null; beside: readonly string[] },
): UsedTools {
  if (said === "none") return { tools: said, untold: [] };
  const { definition: { tools: own, mcp = [] }, extras } = agent;
  const given = withNames(said, extras?.tools.renamed ?? {});
  const { toolsets = [], tools: chosen = [], extraTools = [] } = given;
  if (toolsets.length + chosen.length > 0) return { tools: given, untold: [] };
  const { tools = own, only, extraTools: more, warnings } = projectTools(agent, places);
  if (only !== undefined) {
    return { tools: { ...given, only, extraTools: [...more, ...extraTools] }, untold: warnings };
  }
  const ofExecutors = tools === own ? places.beside : [];
  if (tools === undefined && ofExecutors.length === 0) return { tools: given, untold: [] };
  if (tools === undefined) {
    return { tools: { ...given, extraTools: [...new Set([...extraTools, ...ofExecutors])] }, untold: [] };
  }
  const all = [...new Set([...tools, ...ofExecutors, ...extraTools])];
  const beside = tools === own
    ? [...mcp.length > 0 ? [SERVERS_TOOLSET] : [], ...extras?.tools.own ?? []]
    : [];
  return { tools: all.length > 0 ? { tools: all, beside } : "none", untold: warnings };
}

/** A file of agents may give tools names of its own, which count before those of the tools. */
function withNames(choice: ToolChoice, renamed: Readonly<Record<string, string>>): ToolChoice {
  if (Object.keys(renamed).length === 0) return choice;
  const meant = (words: readonly string[] = []) =>
    words.map((word) => {
      const [name = "", ...alias] = word.split("=");
      const full = Object.keys(renamed).find((one) => plainName(one) === plainName(name));
      return full === undefined ? word : [renamed[full], ...alias].join("=");
    });
  return { ...choice, tools: meant(choice.tools), extraTools: meant(choice.extraTools) };
}

function hostOf(
  host: HostSettings,
  { definition, extras, path }: KnownAgent,
  model: ModelWish,
): HostSettings {
  const { search = {}, limits = {} } = definition;
  // The run counts the searches of each task: the tool would count those of the whole session as well.
  const { max_searches: _, ...others } = search;
  const settings: typeof search = limits.max_searches === undefined ? search : others;
  const told = Object.entries(SEARCH_VARIABLES).flatMap(([field, variable]) => {
    const value = settings[field as keyof typeof SEARCH_VARIABLES];
    return value === undefined ? [] : [[variable, String(value)]];
  });
  // What it says of all tools is not for those of single ones, which would count first.
  const fields = Object.keys(search).map((field) => `__${field.toUpperCase()}`);
  const kept = Object.entries(host.env).filter(([name]) =>
    !name.startsWith(TOOL_VARIABLES) || !fields.some((field) => name.endsWith(field))
  );
  const { sources = {} } = host.tools ?? {};
  const servers = Object.keys(extras?.servers ?? {}).length === 0 ? [] : [{
    servers: extras!.servers,
    ...path === null ? { from: "the file of agents" } : { from: path, folder: dirname(path) },
  }];
  const mcpContextLimit = sources.mcpContextLimit ?? extras?.mcpContextLimit ?? undefined;
  return {
    ...host,
    env: { ...Object.fromEntries(kept), ...Object.fromEntries(told), ...extras?.variables },
    control: {
      ...host.control,
      secrets: [
        ...host.control.secrets ?? [],
        ...model.apiKey ? [model.apiKey] : [],
        ...extras?.apiKey ? [extras.apiKey] : [],
      ],
    },
    tools: {
      ...host.tools,
      sources: { ...sources, mcp: [...sources.mcp ?? [], ...servers], mcpContextLimit },
    },
  };
}

/** A key goes only to the address that it was written with. */
function modelOf(
  given: ModelWish,
  { name, definition, extras }: KnownAgent,
  host: HostSettings,
): ModelWish {
  const said = definition.model;
  if (said === undefined || given.model) return given;
  const model: AgentModelConfig = typeof said === "string" ? { name: said } : said;
  const { temperature, max_tokens, extra_body } = model;
  const isNamed = given.name === undefined || given.name === model.name;
  const isThere = isNamed && (given.baseUrl === undefined || given.baseUrl === model.base_url);
  const apiKey = given.apiKey ?? (isThere ? extras?.apiKey ?? keyOf(name, model, host) : undefined);
  const extraBody = {
    ...temperature !== undefined && { temperature },
    ...isThere && extra_body,
    ...given.extraBody,
  };
  return {
    ...given,
    name: given.name ?? model.name,
    baseUrl: given.baseUrl ?? (isThere ? model.base_url : undefined),
    ...apiKey !== undefined && { apiKey },
    wire: given.wire ?? (isThere ? model.wire : undefined),
    idleSeconds: given.idleSeconds ?? model.idle_seconds,
    ...Object.keys(extraBody).length > 0 && { extraBody },
    profile: { ...max_tokens !== undefined && { output_tokens: max_tokens }, ...given.profile },
  };
}

/** A run that calls nothing needs no key. */
function keyOf(
  agent: string,
  { api_key_env }: AgentModelConfig,
  { env, runsCalls = true }: HostSettings,
): string | undefined {
  if (api_key_env === undefined) return undefined;
  const key = env[api_key_env]?.trim();
  if (key || !runsCalls) return key;
  throw new ToolError("unauthenticated", `No key for the model of agent "${agent}": set ${api_key_env}`, {
    details: { variables: [api_key_env] },
  });
}
