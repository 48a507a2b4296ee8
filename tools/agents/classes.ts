import type { AgentClass } from "../../schemas/step/agent_definition.ts";
import type { ThinkingKind } from "../../schemas/step/thinking.ts";

const WEB = ["sgr/web_search_tool", "sgr/extract_page_content_tool"];
const REPORT = "sgr/create_report_tool";
const FINAL = "sgr/final_answer_tool";
const ANSWER = "sgr/answer_tool";

/** The ways of thinking of SGR agents, by the middle of their classes' names. */
const WAYS: Readonly<Record<string, ThinkingKind>> = {
  SGR: "sgr",
  Iron: "sgr",
  ToolCalling: "tools",
  SGRToolCalling: "sgr-tools",
  SGRAutoToolCalling: "sgr-tools",
  SGRSOToolCalling: "sgr-tools",
};

/** The classes of SGR agents by their names, those of all its versions. */
export const agentClasses: Readonly<Record<string, AgentClass>> = {
  BaseAgent: { kind: "tools", tools: [] },
  ...Object.fromEntries(
    Object.entries(WAYS).flatMap(([way, kind]) => [
      [`${way}Agent`, { kind, tools: [] }],
      [`${way}ResearchAgent`, { kind, tools: [...WEB, REPORT, FINAL] }],
      [`Research${way}Agent`, { kind, tools: [...WEB, REPORT, FINAL] }],
      [`Research${way}AgentNoReporting`, { kind, tools: [...WEB, FINAL] }],
    ]),
  ),
  DialogAgent: { kind: "sgr-tools", tools: [ANSWER] },
  ResearchDialogAgent: { kind: "sgr-tools", tools: [...WEB, REPORT, ANSWER] },
};
