import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";

/** Reasons in a form before each step, and answers with a report that cites its sources. */
export const research: AgentDefinition = {
  description: "A question to the web, answered by a report with numbered sources",
  kind: "sgr-tools",
  tools: [
    "sgr/reasoning_tool",
    "sgr/generate_plan_tool",
    "sgr/adapt_plan_tool",
    "sgr/web_search_tool",
    "sgr/extract_page_content_tool",
    "sgr/clarification_tool",
    "sgr/create_report_tool",
    "sgr/final_answer_tool",
  ],
  limits: { max_iterations: 20, max_clarifications: 3, max_searches: 8 },
};
