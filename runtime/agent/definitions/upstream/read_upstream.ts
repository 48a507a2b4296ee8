import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../schemas/step/agent_definition.ts";
import { classOf } from "./class_of.ts";
import { plainName } from "../../../text/spelled_like.ts";
import { FileFields, wrong } from "./fields.ts";
import { isList, isPlainObject, type PlainObject, type PlainValue } from "./plain_tree.ts";
import { readModel } from "./read_model.ts";
import { readPrompts, type ReadText } from "./read_prompts.ts";
import { overlaid, SECTION_NAMES, type Sections, sectionsIn } from "./sections.ts";
import { definedTools, readToolItems, renamedTools, toolNamed } from "./tool_items.ts";
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
  tools: FileTools;
}

/** The tools that a file names in a way of its own. */
export interface FileTools {
  /** Full names, by the names that its section `tools` gives. */
  renamed: Readonly<Record<string, string>>;
  /** Names that no tool here has: they mean tools of the user's own, where these are there. */
  own: readonly string[];
}

/** What a file is read with. */
export interface FilePlaces {
  manifest: Pick<Manifest, "tools" | "agent_classes" | "file_agents">;
  /** What variables say, as sections. */
  variables: PlainObject;
  readText: ReadText;
  warn(message: string): void;
}

/** Bounds of runs that hold unless a file sets others, as its system documents them. */
const USUAL_LIMITS = { max_iterations: 10, max_clarifications: 3, max_searches: 4 };
/** Sections that mean nothing here: other faces, logs, and tracing have places of their own. */
const OTHER_SECTIONS = ["acp", "langfuse", "skills", "logging", "server"];
/** Fields of `execution` that mean nothing here. */
const OTHER_EXECUTION = ["streaming_generator", "logs_dir", "max_skill_desc_chars"];
/** The variable that tells tools where reports go. */
const REPORTS = "SGR__EXECUTION__REPORTS_DIR";
const AGENT_FIELDS = ["name", "display_name", "description", "base_class", "tools", ...SECTION_NAMES];
/** Fields of agents that another place of bulkhead has. */
const ELSEWHERE: Readonly<Record<string, string>> = { working_directory: "name the folder with --workspace" };

/**
 * Reads the agents of a file, by name. An agent that is wrong has a problem, and the others can be used. A file that sets
 * something and names no agents has the usual ones of that system.
 *
 * @throws {ToolError} `configuration` for a file with neither, and for two agents of one name
 */
export function readUpstream(document: PlainValue, places: FilePlaces): Map<string, FileAgent> {
  if (!isPlainObject(document)) throw wrong("the file", "hold a mapping with agents");
  const sections = ["tools", ...SECTION_NAMES];
  for (const name of Object.keys(document)) {
    if (!["agents", ...sections, ...OTHER_SECTIONS].includes(name)) places.warn(`${name} is not known here`);
  }
  const { variables, manifest, warn } = places;
  const shared = overlaid(sectionsIn(variables), sectionsIn(document));
  const defined = definitions(document.tools, variables.tools);
  const sets = Object.keys(document).some((name) => sections.includes(name));
  const isSilent = !namesAgents(document);
  if (isSilent && sets) warn(`it names no agents: ${Object.keys(manifest.file_agents).join(", ")} are there`);
  const agents = new Map<string, FileAgent>();
  for (const [name, said] of namedAgents(isSilent && sets ? manifest.file_agents : document.agents)) {
    if (agents.has(name)) throw wrong("agents", `have each name once: "${name}" stands there twice`);
    agents.set(name, readAgent(name, said, { ...places, shared, defined }));
  }
  return agents;
}

/** What variables say of tools stands behind what the file says of them, whatever the spelling of their names. */
function definitions(said: PlainValue | undefined, variables: PlainValue | undefined): PlainObject {
  const own = new FileFields(said, "tools").entries;
  const more = new FileFields(variables, "tools").entries.map(([name, fields]): [string, PlainValue] => [
    own.find(([word]) => plainName(word) === plainName(name))?.[0] ?? name,
    fields,
  ]);
  const both = new Map<string, PlainValue>(more);
  for (const [name, fields] of own) {
    const usual = both.get(name);
    const isMore = isPlainObject(usual) && (fields === null || isPlainObject(fields));
    both.set(name, isMore ? { ...usual, ...fields } : fields);
  }
  return Object.fromEntries(both);
}

/** Says whether a document names at least one agent, or tries to. */
export function namesAgents({ agents = null }: PlainObject): boolean {
  return agents !== null && (typeof agents !== "object" || Object.keys(agents).length > 0);
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
  const tools = { renamed: {}, own: [] };
  const extras: FileExtras = { apiKey: null, variables: {}, servers: {}, mcpContextLimit: null, tools };
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
  fields.skip(...AGENT_FIELDS, ...OTHER_SECTIONS);
  for (const name of fields.unread) {
    const remedy = ELSEWHERE[name];
    warn(`${at}.${name} is not ${remedy === undefined ? "known here" : `used here: ${remedy}`}`);
  }
  const base = fields.text("base_class");
  if (base === undefined) throw wrong(`${at}.base_class`, "name the class of the agent");
  const { kind, must_call, tools: first, warning } = classOf(base, at, manifest);
  if (warning !== null) warn(warning);
  const { llm, search, execution, prompts, mcp } = overlaid(places.shared, sectionsIn(said));
  const listed = fields.list("tools") ?? [];
  if (listed.length === 0) throw wrong(`${at}.tools`, "name at least one tool");
  const { items, own } = readToolItems(listed, `${at}.tools`, places);
  const required = first.flatMap((tool) => toolNamed(tool, manifest)?.full_name ?? []);
  const tools = [...new Set([...required, ...items.map(({ entry }) => entry.full_name)])];
  if (tools.length === 0) throw wrong(`${at}.tools`, "name a tool that is there: bulkhead tools lists them");
  const bounds = new FileFields(execution, `${at}.execution`);
  const unlisted = definedTools(places).filter(({ entry }) => !items.some((item) => item.entry === entry));
  const settings = readToolSettings({ search, execution: bounds }, [...unlisted, ...items], warn);
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
      ...must_call && { must_call },
      tools,
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
      tools: { renamed: renamedTools(places), own },
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
