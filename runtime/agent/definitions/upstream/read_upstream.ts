import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../schemas/step/agent_definition.ts";
import { classOf } from "./class_of.ts";
import { FileFields, wrong } from "./fields.ts";
import { isList, isPlainObject, type PlainObject, type PlainValue } from "./plain_tree.ts";
import { readModel } from "./read_model.ts";
import { readPrompts, type ReadText } from "./read_prompts.ts";
import { overlaid, SECTION_NAMES, type Sections, sectionsIn } from "./sections.ts";
import { readToolItems, toolNamed } from "./tool_items.ts";
import { readToolSettings } from "./tool_settings.ts";

/** An agent of a file in the form of SGR Agent Core. */
export interface FileAgent {
  definition: AgentDefinition;
  extras: FileExtras;
  /** What is odd about it, a sentence each. */
  warnings: readonly string[];
  /** Why it cannot be used, `null` if it can. */
  problem: ToolError | null;
}

/** What belongs to an agent of a file and to no other place. */
export interface FileExtras {
  /** Key of its model; it goes to the address of the file alone. */
  apiKey: string | null;
  /** What its tools are told, and keys of their services, in the place of the environment's. */
  variables: Readonly<Record<string, string>>;
  /** Its MCP servers, in the form of `.mcp.json`. */
  servers: Readonly<Record<string, unknown>>;
  /** Most characters of a text that they give. */
  mcpContextLimit: number | null;
}

/** What a file is read with. */
export interface FilePlaces {
  manifest: Pick<Manifest, "tools" | "agent_classes">;
  /** What variables say, as sections. */
  variables: PlainObject;
  readText: ReadText;
  warn(message: string): void;
}

/** Bounds of runs that hold unless a file sets others, as its system documents them. */
const USUAL_LIMITS = { max_iterations: 10, max_clarifications: 3, max_searches: 4 };
/** Sections that mean nothing here: other faces, logs, and tracing have places of their own. */
const OTHER_SECTIONS = ["acp", "langfuse", "skills", "logging", "server"];
/** FileFields of `execution` that mean nothing here. */
const OTHER_EXECUTION = ["streaming_generator", "logs_dir", "max_skill_desc_chars"];
/** The variable that tells tools where reports go. */
const REPORTS = "SGR__EXECUTION__REPORTS_DIR";
const AGENT_FIELDS = ["name", "display_name", "description", "base_class", "tools", ...SECTION_NAMES];

/**
 * Reads the agents of a file, by name. An agent that is wrong has a problem, and the others can be used.
 *
 * @throws {ToolError} `configuration` for a file without agents, and for two of one name
 */
export function readUpstream(document: PlainValue, places: FilePlaces): Map<string, FileAgent> {
  if (!isPlainObject(document)) throw wrong("the file", "hold a mapping with agents");
  const known = ["agents", "tools", ...SECTION_NAMES, ...OTHER_SECTIONS];
  for (const name of Object.keys(document)) {
    if (!known.includes(name)) places.warn(`${name} is not known here`);
  }
  const shared = overlaid(sectionsIn(places.variables), sectionsIn(document));
  const defined = Object.fromEntries(new FileFields(document.tools, "tools").entries);
  const agents = new Map<string, FileAgent>();
  for (const [name, said] of namedAgents(document.agents)) {
    if (agents.has(name)) throw wrong("agents", `have each name once: "${name}" stands there twice`);
    agents.set(name, readAgent(name, said, { ...places, shared, defined }));
  }
  return agents;
}

/** A mapping by name, or a list of agents with their names. */
function namedAgents(agents: PlainValue | undefined): [string, PlainValue][] {
  const named = isPlainObject(agents) ? Object.entries(agents) : isList(agents) ? agents.map(listed) : [];
  if (named.length === 0) throw wrong("agents", "name the agents, as a mapping or a list");
  for (const [name] of named) {
    if (!/^[A-Za-z][\w.-]{0,63}$/.test(name)) {
      throw wrong(
        `the name "${name.slice(0, 64)}" of an agent`,
        'be letters, digits, ".", "_" or "-", with a letter first',
      );
    }
  }
  return named;
}

function listed(agent: PlainValue, at: number): [string, PlainValue] {
  const name = isPlainObject(agent) ? agent.name : undefined;
  if (typeof name === "string" && name !== "") return [name, agent];
  throw wrong(`agents[${at}]`, "have a name");
}

interface AgentPlaces extends FilePlaces {
  /** The sections of the file. */
  shared: Sections;
  /** The section `tools` of the file. */
  defined: PlainObject;
}

function readAgent(name: string, said: PlainValue, places: AgentPlaces): FileAgent {
  const extras: FileExtras = { apiKey: null, variables: {}, servers: {}, mcpContextLimit: null };
  const warned = new Set<string>();
  const warn = (message: string) => void warned.add(message);
  try {
    const read = readSaid(`agents.${name}`, said, { ...places, warn });
    return { ...read, warnings: [...warned], problem: null };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { definition: {}, extras, warnings: [...warned], problem: error };
  }
}

function readSaid(
  at: string,
  said: PlainValue,
  places: AgentPlaces,
): Pick<FileAgent, "definition" | "extras"> {
  const { manifest, readText, warn } = places;
  const fields = new FileFields(said, at);
  if (!isPlainObject(said)) throw wrong(at, "be a mapping");
  fields.skip(...AGENT_FIELDS);
  for (const name of fields.unread) warn(`${at}.${name} is not known here`);
  const base = fields.text("base_class");
  if (base === undefined) throw wrong(`${at}.base_class`, "name the class of the agent");
  const { kind, tools: first, warning } = classOf(base, at, manifest);
  if (warning !== null) warn(warning);
  const { llm, search, execution, prompts, mcp } = overlaid(places.shared, sectionsIn(said));
  const listed = fields.list("tools") ?? [];
  if (listed.length === 0) throw wrong(`${at}.tools`, "name at least one tool");
  const items = readToolItems(listed, `${at}.tools`, { manifest, defined: places.defined, warn });
  const required = first.flatMap((tool) => toolNamed(tool, manifest)?.full_name ?? []);
  const bounds = new FileFields(execution, `${at}.execution`);
  const settings = readToolSettings({ search, execution: bounds }, items, warn);
  const { model, apiKey } = readModel(llm, at, warn);
  const reports = bounds.text("reports_dir");
  const mcpContextLimit = bounds.number("mcp_context_limit", { least: 1, whole: true }) ?? null;
  const limits = readLimits(bounds, settings.search.max_searches);
  bounds.skip(...OTHER_EXECUTION);
  for (const name of bounds.unread) warn(`${bounds.at}.${name} is not known here`);
  const servers = Object.fromEntries(new FileFields(mcp, `${at}.mcp`).section("mcpServers").entries);
  const description = fields.text("description") ?? fields.text("display_name");
  return {
    definition: {
      ...description !== undefined && { description },
      kind,
      tools: [...new Set([...required, ...items.map(({ entry }) => entry.full_name)])],
      prompts: readPrompts(prompts, at, { readText, warn }),
      model,
      limits,
      search: settings.search,
      mcp: Object.keys(servers),
    },
    extras: {
      apiKey,
      variables: { ...settings.variables, ...reports !== undefined && { [REPORTS]: reports } },
      servers,
      mcpContextLimit,
    },
  };
}

/** `max_steps` is what earlier versions called the iterations. */
function readLimits(bounds: FileFields, searches: number | undefined): Record<string, number> {
  const steps = bounds.number("max_steps", { least: 1, whole: true });
  const max_iterations = bounds.number("max_iterations", { least: 1, whole: true }) ?? steps;
  const max_clarifications = bounds.number("max_clarifications", { least: 0, whole: true });
  return {
    ...USUAL_LIMITS,
    ...max_iterations !== undefined && { max_iterations },
    ...max_clarifications !== undefined && { max_clarifications },
    ...searches !== undefined && { max_searches: searches },
  };
}
