import { ToolError } from "../../../schemas/error.ts";
import type { AgentDefinition } from "../../../schemas/step/agent_definition.ts";
import { AGENT } from "./check/agent_schema.ts";
import { agentProblems } from "./check/agent_problems.ts";
import { fieldProblems } from "./check/field_problems.ts";
import { map } from "./check/schema_words.ts";

/**
 * Checks agents that a program gives.
 *
 * @throws {ToolError} `invalid_input` that names every field which is wrong, and what is expected there
 */
export function checkAgents(agents: Readonly<Record<string, AgentDefinition>>): void {
  const wrong = fieldProblems(map(AGENT), agents);
  const problems = wrong.length > 0 ? wrong : agentProblems({ agents });
  if (problems.length === 0) return;
  throw new ToolError("invalid_input", `Cannot use agents: ${problems.join("; ")}`, {
    details: { problems },
  });
}
