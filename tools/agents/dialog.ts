import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** Gives the turn back with each answer, for a conversation about what it finds. */
export const dialog: AgentDefinition = {
  description: "A conversation about what the web says: each answer gives you the turn",
  kind: "sgr-tools",
  tools: [
    "sgr/answer_tool",
    "sgr/reasoning_tool",
    "sgr/web_search_tool",
    "sgr/extract_page_content_tool",
    "sgr/clarification_tool",
    "sgr/create_report_tool",
  ],
  limits: { max_iterations: 20, max_searches: 8 },
};
