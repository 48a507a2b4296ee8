import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** What a run is that names no agent. */
export const defaultAgent: AgentDefinition = {
  description: "Any task, with the tools of the run",
  kind: "tools",
};
