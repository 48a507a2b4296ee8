import type { Config } from "../../../schemas/config.ts";
import type { AgentDefinition } from "../../../schemas/step/agent_definition.ts";

/** Tells the user of a field that a project may not set. */
export type Ignore = (field: string, why: string) => void;

/** What a project's agent may say: it grants nothing, reaches nobody, and speaks to no model in the user's name. */
const TAKEN: readonly string[] = ["description", "kind", "must_call", "tools", "limits", "grants"];

/** Returns the agents of a project's file without what they must not have. */
export function narrowAgents(
  agents: NonNullable<Config["agents"]>,
  ignore: Ignore,
): Record<string, AgentDefinition> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [name, narrowed(agent, `agents.${name}`, ignore)]),
  );
}

function narrowed({ grants, ...agent }: AgentDefinition, at: string, ignore: Ignore): AgentDefinition {
  const kept = Object.entries(agent).filter(([field]) => {
    if (TAKEN.includes(field)) return true;
    const remedy = field === "prompts" ? "; write it into the AGENTS.md of the project" : "";
    ignore(`${at}.${field}`, `not trusted${remedy}`);
    return false;
  });
  if (grants?.allow !== undefined) ignore(`${at}.grants.allow`, "not trusted");
  if (grants === undefined) return Object.fromEntries(kept);
  const { policy, deny } = grants;
  return {
    ...Object.fromEntries(kept),
    grants: { ...policy !== undefined && { policy }, ...deny && { deny } },
  };
}
