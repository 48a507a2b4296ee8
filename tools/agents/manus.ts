import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** The all-round agent of OpenManus, with all MCP servers of the configuration. */
export const manus: AgentDefinition = {
  description: "Code, files and pages in the workspace, until it ends the task itself",
  kind: "tools",
  tools: [
    "manus/python_execute",
    "manus/browser_use",
    "manus/crawl4ai",
    "manus/str_replace_editor",
    "manus/ask_human",
    "manus/terminate",
  ],
  mcp: ["*"],
  limits: { max_rounds: 20 },
};
