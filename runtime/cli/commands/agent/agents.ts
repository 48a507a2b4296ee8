import type { AgentLimits } from "../../../../schemas/agent/agent.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { type AgentOrigin, type KnownAgent, knownAgents } from "../../../agent/definitions/known_agents.ts";
import { readHostConfig } from "../../../host/configure_host.ts";
import { chooseLimits } from "../../../model/choose_model.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, print } from "../../io/io.ts";
import { openAgentHost } from "../../setup/open_agent_host.ts";
import { hostSettings, keepOnly } from "../../setup/open_run.ts";
import { renderTable } from "../../show/tables/columns.ts";
import { renderToolRows, type ToolRow, toolRow } from "../../show/tables/tool_rows.ts";

/** `agents`: all agents. `agents NAME`: how one works, and what it may touch. */
export async function agentsCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [name] = positionals;
  const manifest = await io.manifest();
  if (name !== undefined) {
    const shown = await describeAgent(name, { options, manifest }, io);
    await print(io, options.json ? jsonLine(shown) : renderAgent(shown, io.stdoutWidth()));
    return 0;
  }
  const agents = await listAgents({ options, manifest }, io);
  await print(io, options.json ? jsonLine(agents.map(rowOf)) : renderAgents(agents, io.stdoutWidth()));
  return 0;
}

interface Asked {
  options: Options;
  manifest: Manifest;
}

async function listAgents({ options, manifest }: Asked, io: Io): Promise<KnownAgent[]> {
  const host = hostSettings(options, io, {});
  const loaded = readHostConfig(host, manifest.tools);
  const { env, grants, places: { cwd } } = host;
  const places = { manifest, loaded, cwd, env, grants };
  const { agents, warnings } = await knownAgents({ file: options.agents }, places);
  warnings.forEach(host.warn);
  return [...agents.values()];
}

function rowOf({ name, definition, origin, path, problem }: KnownAgent) {
  const { description = "", kind = "tools", tools } = definition;
  return { name, description, kind, origin, path, tools: tools ?? null, problem: problem?.message ?? null };
}

function renderAgents(agents: readonly KnownAgent[], width: number | null): string {
  const cells = agents.map((agent) => {
    const { name, kind, origin, tools, description, problem } = rowOf(agent);
    const count = tools === null ? "usual" : String(tools.length);
    const how = problem === null ? [kind, count] : ["-", "-"];
    return [name, ORIGINS[origin], ...how, onOneLine(problem ?? description)];
  });
  return renderTable([["AGENT", "FROM", "KIND", "TOOLS", "WHAT IT IS FOR"], ...cells], {
    width,
    narrow: [[4, 14]],
  });
}

const ORIGINS: Readonly<Record<AgentOrigin, string>> = {
  "built-in": "bulkhead",
  configuration: "you",
  project: "project",
  file: "file",
  program: "program",
};

/** An agent with these options. */
interface AgentShown extends ReturnType<typeof describedPart> {
  limits: Partial<AgentLimits>;
  tools: readonly ToolRow[];
}

async function describeAgent(name: string, { options, manifest }: Asked, io: Io): Promise<AgentShown> {
  await using opened = await openAgentHost({ ...options, agent: name }, io, manifest);
  const { host, offered, used: { agent, settings, loaded: config } } = opened;
  await keepOnly([], { host, options, io });
  const boxed = await host.box.isUsed();
  const { base_url, api_key_env } = typeof agent.definition.model === "object" ? agent.definition.model : {};
  const isThere = base_url !== undefined && settings.model.baseUrl === base_url;
  const key = agent.extras?.apiKey ? `in ${agent.path}` : api_key_env ?? null;
  return {
    ...describedPart(agent),
    policy: host.grants.commands.name,
    model: {
      name: settings.model.name ?? null,
      base_url: settings.model.baseUrl ?? null,
      key: isThere || settings.model.baseUrl === undefined ? key : null,
    },
    limits: chooseLimits({}, config.config.agent ?? {}),
    tools: offered.map((one) => toolRow(one, { host, boxed })),
  };
}

/** What of an agent is text. */
function describedPart({ name, definition, origin, path }: KnownAgent) {
  const { description = "", kind = "tools", mcp = null, prompts = {}, search = {} } = definition;
  return {
    ...{ name, description, kind, origin, path, policy: "", search, mcp, prompts: Object.keys(prompts) },
    model: { name: null as string | null, base_url: null as string | null, key: null as string | null },
  };
}

function renderAgent(agent: AgentShown, width: number | null): string {
  const { name, description, kind, origin, path, model, limits, policy, prompts, mcp, search, tools } = agent;
  const bounds = Object.entries(limits).filter(([, value]) => value !== null);
  const list = (entries: readonly (readonly [string, unknown])[]) =>
    entries.map(([word, value]) => `${word} ${value}`).join(", ");
  const lines = [
    ["agent", name + (description === "" ? "" : `: ${description}`)],
    ["from", path === null ? ORIGINS[origin] : path],
    ["kind", kind],
    [
      "model",
      [model.name ?? "the run's", model.base_url, model.key && `key ${model.key}`].filter(Boolean).join(", "),
    ],
    ["prompts", prompts.length === 0 ? "the usual ones" : `its own: ${prompts.join(", ")}`],
    ["limits", list(bounds)],
    ...Object.keys(search).length > 0 ? [["search", list(Object.entries(search))]] : [],
    ...mcp !== null && mcp.length > 0 ? [["servers", mcp.join(", ")]] : [],
    ["policy", policy],
  ];
  const facts = lines.map(([word = "", text = ""]) => `${word.padEnd(9)}${onOneLine(text)}\n`).join("");
  return `${facts}\n${renderToolRows(tools, width)}`;
}
