import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { AgentDefinition, AgentExecutor } from "../../../schemas/step/agent_definition.ts";
import type { Executor } from "../../../schemas/step/thinking.ts";
import { describedCatalog } from "../../calls/catalog/catalog.ts";
import { findTool } from "../../calls/catalog/find_tool.ts";
import { findAgent, type KnownAgent, type KnownAgents } from "./known_agents.ts";

/**
 * Returns the executors of an agent, each with what it takes of another agent.
 *
 * @throws {ToolError} `configuration` for an executor that names no known agent, and says nothing of what it is good at
 */
export function executorsOf(
  { name, definition }: Pick<KnownAgent, "name" | "definition">,
  known: Pick<KnownAgents, "agents">,
): Record<string, Executor> | undefined {
  if (definition.executors === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(definition.executors).map(([word, executor]) => {
      const at = `Executor "${word}" of agent "${name}"`;
      return [word, executorOf(executor, agentOf(executor, known, at), at)];
    }),
  );
}

function agentOf(
  { agent }: AgentExecutor,
  known: Pick<KnownAgents, "agents">,
  at: string,
): AgentDefinition {
  if (agent === undefined) return {};
  try {
    return findAgent(agent, known).definition;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError("configuration", `${at}: ${error.message}`, { details: error.details });
  }
}

function executorOf(
  { agent: _, ...own }: AgentExecutor,
  { description: purpose, tools, prompts, limits }: AgentDefinition,
  at: string,
): Executor {
  const { system } = prompts ?? {};
  const { max_iterations } = limits ?? {};
  const { description = purpose } = own;
  if (description === undefined) {
    throw new ToolError("configuration", `${at} has no description: say what it is good at`);
  }
  return {
    ...tools && { tools },
    ...system !== undefined && { system },
    ...max_iterations !== undefined && { max_iterations },
    ...own,
    description,
  };
}

/** Returns the tools of executors that are not among those that a run has already. */
export function toolsBeside(
  executors: Readonly<Record<string, Executor>> | undefined,
  tools: readonly string[] | undefined,
  manifest: Manifest,
): string[] {
  const catalog = describedCatalog(manifest);
  const fullName = (word: string) => {
    const name = word.split("=")[0]!;
    try {
      return findTool(catalog, name).tool.full_name;
    } catch {
      // Of a source that is not open yet, or of none: the choice of tools says so.
      return name;
    }
  };
  const { default_toolset: usual } = manifest;
  const taken = new Set(
    tools?.map(fullName) ??
      manifest.tools.filter(({ toolset, optional }) => toolset === usual && !optional)
        .map(({ full_name }) => full_name),
  );
  return Object.values(executors ?? {}).flatMap((executor) => executor.tools ?? []).filter((word) => {
    const name = fullName(word);
    const isNew = !taken.has(name);
    taken.add(name);
    return isNew;
  });
}
