import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** The programmer of OpenManus: a shell and an editor. */
export const swe: AgentDefinition = {
  description: "A change of code, with a shell and an editor",
  kind: "tools",
  tools: ["manus/bash", "manus/str_replace_editor", "manus/terminate"],
  limits: { max_rounds: 20 },
};
