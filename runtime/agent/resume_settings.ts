import { resolve } from "@std/path";

import type {
  SessionModel,
  SessionPolicy,
  SessionSettings,
  SessionTools,
} from "../../schemas/agent/session_settings.ts";
import { ToolError } from "../../schemas/error.ts";
import type { TraceLine } from "../../schemas/agent/trace.ts";
import type { PolicyName } from "../../schemas/grants.ts";
import type { ToolChoice } from "../calls/catalog/choose_tools.ts";
import type { ConfiguredHost } from "../host/configure_host.ts";
import type { HostSettings } from "../host/host_settings.ts";
import { keepSessionFlags, sessionFlags } from "../host/session_flags.ts";
import { findSession, tracePath } from "../state/sessions/session_folder.ts";
import { readTrace } from "../state/sessions/trace_file.ts";
import { stateFolder } from "../state/state_folder.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { flagWord } from "../walls/grants/flag_word.ts";
import { isPolicyName, isWiderPolicy } from "../walls/grants/policies.ts";
import type { AgentSettings, AgentTask, ModelWish } from "./agent_settings.ts";
import type { KnownAgent } from "./definitions/known_agents.ts";

/** The settings of a run, with what it keeps of its session. */
export interface KeptSettings {
  settings: AgentSettings;
  /** Flags of this run that allow more than the session did; the policy is not among them. */
  widened: string[];
}

/**
 * Adds what a session was allowed and made of to the settings of a run that goes on with it. What this run names itself
 * adds to that, or takes its place. Needs `read`.
 *
 * @throws {ToolError} `not_found` if there is no such session, `unavailable` for a damaged trace, `configuration` if its
 * policy cannot be kept and none is given
 */
export async function keepSettings(settings: AgentSettings): Promise<KeptSettings> {
  const { session: wish, host } = settings;
  const { env, places } = host;
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  const workspace = realOrNull(resolve(places.cwd, places.workspace));
  const resumed = wish?.resume;
  if (!wish || resumed === undefined || state === null || workspace === null) {
    return { settings, widened: [] };
  }
  const id = await findSession(state, { id: resumed === true ? null : resumed, workspace });
  if (wish.isToldAll) return { settings: { ...settings, session: { ...wish, resume: id } }, widened: [] };
  const begun = (await readTrace(tracePath(state, id))).findLast((line) => line.t === "run");
  if (!begun) return { settings, widened: [] };
  const kept = begun.settings ?? earlierSettings(begun);
  if (kept.policy.filter && host.grants.policy === undefined) throw lostFilter(id, kept.policy);
  if (!begun.settings) settings.emit({ type: "warning", message: earlierWarning(id, kept) });
  const own = wish.keepsPlace ? begun.workspace : places.workspace;
  const flags = keepSessionFlags({ ...host, places: { ...places, workspace: own } }, kept.flags);
  const tools = keepTools(settings.tools, kept.tools);
  return {
    settings: {
      ...settings,
      host: keepConfig(flags.settings, kept),
      tools: tools.choice,
      limits: {
        ...kept.max_tools !== undefined && { tools: kept.max_tools },
        ...kept.thinking?.limits,
        ...settings.limits,
      },
      thinking: keepThinking(settings.thinking, kept.thinking),
      model: keepModel(settings.model, kept.model),
      task: keepAgent(settings.task, kept.agent),
      session: { ...wish, resume: id },
    },
    widened: [...flags.widened, ...tools.widened, ...widenedConfig(host, kept)],
  };
}

/** Returns what a session keeps of this run. */
export function sessionSettings(
  { host, tools, limits, model, thinking }: AgentSettings,
  { policy, name, agent }: {
    policy: ConfiguredHost["policy"];
    name: string | null;
    agent: Pick<KnownAgent, "name" | "origin" | "path" | "definition">;
  },
): SessionSettings {
  const { base, commands } = policy;
  // It comes back with the agent.
  const ofAgent = agent.definition.model !== undefined && model.name === undefined &&
    model.baseUrl === undefined;
  const { grants, config, places } = host;
  return {
    flags: sessionFlags(host),
    policy: {
      name: commands.name,
      base,
      allow: commands.allow,
      deny: commands.deny,
      without: policy.without,
      share_net: policy.shareNet,
      programs: policy.programs,
      ...(policy.filter && { filter: true }),
      named: grants.policy !== undefined || grants.kept?.named === true,
    },
    config: config === false ? false : config.file === undefined ? null : resolve(places.cwd, config.file),
    tools: tools === "none" ? null : {
      toolsets: tools.toolsets ?? [],
      tools: tools.tools ?? [],
      extra_tools: tools.extraTools ?? [],
    },
    ...limits.tools !== undefined && { max_tools: limits.tools },
    ...keptThinking(thinking, limits),
    model: name === null || ofAgent ? null : { name, base_url: model.baseUrl ?? null },
    agent: { name: agent.name, file: agent.origin === "file" ? agent.path : null },
  };
}

/** Returns the policy of a run as a flag if it allows more than that of its session did. */
export function widenedPolicy(
  kept: SessionPolicy | undefined,
  { base, commands, without, shareNet, filter }: ConfiguredHost["policy"],
): string[] {
  if (!kept) return [];
  const rules = (list: readonly unknown[]) => list.map((rule) => JSON.stringify(rule));
  const denied = rules(commands.deny);
  const allowed = rules(commands.allow);
  const lost = rules(kept.deny).some((rule) => !denied.includes(rule));
  const opened = kept.allow.length > 0 &&
    (allowed.length === 0 || allowed.some((rule) => !rules(kept.allow).includes(rule)));
  const returned = kept.without?.some((kind) => !without.includes(kind)) ?? false;
  const shared = shareNet && !kept.share_net;
  const unfiltered = kept.filter && !filter;
  return isWiderPolicy(base, kept.base) || lost || opened || returned || shared || unfiltered
    ? [flagWord("--policy", [commands.name])]
    : [];
}

type RunLine = Extract<TraceLine, { t: "run" }>;

/** A trace of an earlier version has only names. What its flags allowed is not known, so nothing of it is allowed. */
function earlierSettings({ policy, model }: RunLine): SessionSettings {
  const base: PolicyName = isPolicyName(policy) ? policy : "read-only-no-net";
  return {
    flags: [],
    policy: { name: base, base, allow: [], deny: [], named: true },
    config: null,
    tools: { toolsets: [], tools: [], extra_tools: [] },
    model: { name: model, base_url: null },
  };
}

function earlierWarning(id: string, { policy }: SessionSettings): string {
  return `Session ${id} was begun by an earlier version, which did not keep its permissions: it goes on under policy ` +
    `${policy.name} without further ones; name again what it needs`;
}

/** Without its function the policy would allow more than the session was allowed. */
function lostFilter(id: string, { name }: SessionPolicy): ToolError {
  return new ToolError(
    "configuration",
    `Cannot go on with session ${id}: its policy ${
      JSON.stringify(name)
    } has a filter, a function of the program that ` +
      `began it; give the policy again as grants.policy, or name another one (--policy=NAME)`,
    { details: { session: id, policy: name } },
  );
}

/** What a session keeps of the way of thinking; nothing of the usual one. */
function keptThinking(
  thinking: AgentSettings["thinking"],
  { iterations, clarifications, searches }: AgentSettings["limits"],
): Pick<SessionSettings, "thinking"> {
  const limits = {
    ...iterations !== undefined && { iterations },
    ...clarifications !== undefined && { clarifications },
    ...searches !== undefined && { searches },
  };
  if (thinking === undefined && Object.keys(limits).length === 0) return {};
  return { thinking: { ...thinking, limits } };
}

/** What is said now takes the place of what the session kept. */
function keepThinking(
  given: AgentSettings["thinking"],
  kept: SessionSettings["thinking"],
): AgentSettings["thinking"] {
  if (kept === undefined) return given;
  const { limits: _, ...rest } = kept;
  return { ...rest, ...given };
}

function keepModel(given: ModelWish, kept: SessionModel | null): ModelWish {
  if (given.model || given.name !== undefined || kept === null) return given;
  return { ...given, name: kept.name, baseUrl: given.baseUrl ?? kept.base_url ?? undefined };
}

/** A file that is named now brings agents of its own. */
function keepAgent(task: AgentTask, kept: SessionSettings["agent"]): AgentTask {
  const { agent = {} } = task;
  if (!kept || agent.name !== undefined || agent.file !== undefined) return task;
  return { ...task, agent: { ...agent, name: kept.name, file: kept.file ?? undefined } };
}

/** No configuration at all stays none, and a named one stays named. */
function keepConfig(host: HostSettings, { config, policy }: SessionSettings): HostSettings {
  const isNamed = host.config !== false && host.config.file !== undefined;
  const grants = { ...host.grants, kept: policy };
  if (isNamed || host.config === false || config === null) return { ...host, grants };
  return { ...host, grants, config: config === false ? false : { file: config } };
}

function widenedConfig({ config, places }: HostSettings, kept: SessionSettings): string[] {
  if (config === false || config.file === undefined) return [];
  const file = resolve(places.cwd, config.file);
  return file === kept.config ? [] : [flagWord("--config", [file])];
}

function keepTools(
  given: ToolChoice | "none",
  kept: SessionTools,
): { choice: ToolChoice | "none"; widened: string[] } {
  if (given === "none") return { choice: given, widened: [] };
  const { toolsets = [], tools = [], extraTools = [] } = given;
  const words = (flag: string, names: readonly string[], had: readonly string[] = []) =>
    names.filter((name) => !had.includes(name)).map((name) => flagWord(flag, [name]));
  const widened = [
    ...words("--toolset", toolsets, kept?.toolsets),
    ...words("--tool", tools, kept?.tools),
    ...words("--extra-tool", extraTools, kept?.extra_tools.concat(kept.tools)),
  ];
  if (toolsets.length + tools.length > 0) return { choice: given, widened };
  if (kept === null) return { choice: extraTools.length > 0 ? { tools: extraTools } : "none", widened };
  const joined = (names: readonly string[]) => [...new Set([...names, ...extraTools])];
  if (kept.tools.length > 0) return { choice: { tools: joined(kept.tools) }, widened };
  return { choice: { toolsets: kept.toolsets, extraTools: joined(kept.extra_tools) }, widened };
}
