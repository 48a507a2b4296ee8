import type { Config } from "../../../../schemas/config.ts";
import type { AgentDefinition } from "../../../../schemas/step/agent_definition.ts";
import { isVariable, isWebUrl } from "./model_problems.ts";
import { accessProblems } from "./permission_problems.ts";

/** Says what is wrong with the agents of a configuration, beyond their schema. */
export function agentProblems({ agents = {} }: Pick<Config, "agents">): string[] {
  return Object.entries(agents).flatMap(([name, agent]) => [
    ...isAgentName(name)
      ? []
      : [`agents.${name} must be named by letters, digits, ".", "_" or "-", with a letter first`],
    ...definitionProblems(`agents.${name}`, agent),
  ]);
}

/** Says whether an agent may have this name. */
export function isAgentName(name: string): boolean {
  return /^[A-Za-z][\w.-]{0,63}$/.test(name);
}

function definitionProblems(at: string, { tools, model, grants = {}, mcp = [] }: AgentDefinition): string[] {
  const { base_url, api_key_env = "_" } = typeof model === "object" ? model : {};
  return [
    ...tools?.length === 0 ? [`${at}.tools is empty: name tools, or leave it out for the usual ones`] : [],
    ...tools?.includes("") || mcp.includes("") ? [`${at} has an empty name, name something`] : [],
    ...isVariable(api_key_env)
      ? []
      : [`${at}.model.api_key_env must be the name of a variable, not the key itself`],
    ...base_url === undefined || isWebUrl(base_url)
      ? []
      : [`${at}.model.base_url must begin with http:// or https://`],
    ...accessProblems(`${at}.grants`, grants),
  ];
}
