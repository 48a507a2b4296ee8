import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../schemas/step/agent_definition.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import type { LoadedConfig } from "../../host/config/loaded_config.ts";
import { untrustedFields } from "./project_agent.ts";
import { type AgentsFilePlaces, readAgentsFile } from "./read_agents_file.ts";
import type { FileExtras } from "./upstream/read_upstream.ts";

/** Which agent works, and where it is described. */
export interface AgentWish {
  /** @default the usual run */
  name?: string | undefined;
  /** A file of agents as the user named it; a relative path starts at the user's folder. @default none */
  file?: string | undefined;
  /** Agents of an embedding program. @default none */
  own?: Readonly<Record<string, AgentDefinition>> | undefined;
}

/** Who describes an agent; what a project says only narrows. */
export type AgentOrigin = "built-in" | "configuration" | "project" | "file" | "program";

/** An agent by its name. */
export interface KnownAgent {
  name: string;
  definition: AgentDefinition;
  origin: AgentOrigin;
  /** The file that describes it, `null` if none does. */
  path: string | null;
  /** What the project's file adds to an agent of another origin. */
  narrower: AgentDefinition | null;
  extras: FileExtras | null;
  /** What is odd about it, a sentence each. */
  warnings: readonly string[];
  /** Why it cannot be used, `null` if it can. */
  problem: ToolError | null;
}

/** All agents of a run. */
export interface KnownAgents {
  agents: ReadonlyMap<string, KnownAgent>;
  /** Who works where none is named, as the file of agents has it; `null` if it does not say. */
  usual: string | null;
  /** What is odd about the file of agents, a sentence each. */
  warnings: readonly string[];
}

/** Where agents are looked for. */
export interface AgentPlaces {
  manifest: Manifest;
  loaded: Pick<LoadedConfig, "config" | "projectAgents" | "userFile" | "projectFile">;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** What the user allows and denies, for files that a file of agents names. @default nothing */
  grants?: AgentsFilePlaces["grants"];
}

/**
 * Returns the agents of a run by name: the built-in ones, those of the configuration, of an embedding program, and of a
 * file, each in the place of those before. A project's agents take nobody's place. Needs `read` of the file.
 *
 * @throws {ToolError} `configuration` for a file that cannot be used
 */
export async function knownAgents(
  { file, own = {} }: Omit<AgentWish, "name">,
  { manifest, loaded, cwd, env, grants = {} }: AgentPlaces,
): Promise<KnownAgents> {
  const agents = new Map<string, KnownAgent>();
  const { config, projectAgents, userFile, projectFile } = loaded;
  const add = (origin: AgentOrigin, path: string | null, more: Readonly<Record<string, AgentDefinition>>) => {
    for (const [name, definition] of Object.entries(more)) {
      const rest = { narrower: null, extras: null, warnings: [], problem: null };
      agents.set(name, { name, definition, origin, path, ...rest });
    }
  };
  add("built-in", null, manifest.agents);
  add("configuration", userFile, config.agents ?? {});
  add("program", null, own);
  const read = file === undefined ? null : await readAgentsFile(file, { cwd, env, manifest, grants });
  for (const [name, agent] of read?.agents ?? []) {
    agents.set(name, { name, origin: "file", path: read!.real, narrower: null, ...agent });
  }
  for (const [name, definition] of Object.entries(projectAgents)) {
    const known = agents.get(name);
    if (known === undefined) add("project", projectFile, { [name]: definition });
    else {
      known.narrower = definition;
      known.warnings = [...known.warnings, ...untrustedFields(name, definition, projectFile)];
    }
  }
  return { agents, usual: read?.usual ?? null, warnings: read?.warnings ?? [] };
}

/** The agent of runs that name none. */
const USUAL = "default";

/**
 * Returns the name of the agent of a run that names none: the usual or only one of a file of agents, else the usual one of
 * all.
 *
 * @throws {ToolError} `invalid_input` if the file has several
 */
export function usualAgent({ agents, usual }: KnownAgents, { file }: AgentWish): string {
  if (file === undefined) return USUAL;
  if (usual !== null) return usual;
  const names = [...agents.values()].filter(({ origin }) => origin === "file").map(({ name }) => name);
  if (names.length === 1) return names[0]!;
  throw new ToolError(
    "invalid_input",
    `"${file}" has several agents: choose one with --agent: ${names.join(", ")}`,
    {
      details: { candidates: names },
    },
  );
}

/** Returns what a run tells of its agent: its name, or nothing if it is the usual one. */
export function toldOf({ name, origin }: Pick<KnownAgent, "name" | "origin">): { agent?: string } {
  return name === USUAL && origin === "built-in" ? {} : { agent: name };
}

/**
 * Finds an agent by its name.
 *
 * @throws {ToolError} `invalid_input` with the nearest names; the problem of an agent that cannot be used
 */
export function findAgent(name: string, { agents }: Pick<KnownAgents, "agents">): KnownAgent {
  const found = agents.get(name);
  if (found?.problem) throw found.problem;
  if (found) return found;
  const names = [...agents.keys()];
  const candidates = nearest(name, names, { max: 2 });
  const hint = didYouMean(candidates) || `: there are ${names.join(", ")}`;
  throw new ToolError("invalid_input", `Unknown agent ${JSON.stringify(name)}${hint}`, {
    details: { candidates },
  });
}
