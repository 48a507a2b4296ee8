import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** The analyst of OpenManus: Python for the data, and charts with insights. */
export const dataAnalysis: AgentDefinition = {
  description: "Questions to data, answered with Python, charts and insights",
  kind: "tools",
  tools: [
    "manus/python_execute",
    "manus/visualization_preparation",
    "manus/data_visualization",
    "manus/terminate",
  ],
  limits: { max_rounds: 20 },
};
