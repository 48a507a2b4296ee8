import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** The agent of OpenManus that works in a browser alone. */
export const browser: AgentDefinition = {
  description: "A task in a web browser, step by step",
  kind: "tools",
  tools: ["manus/browser_use", "manus/terminate"],
  limits: { max_rounds: 20 },
};
