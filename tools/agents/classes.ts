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

/** Agents that reason by a call of its own have the tool for it, whether they name it or not. */
function agentClass(kind: ThinkingKind, tools: readonly string[]): AgentClass {
  return { kind, tools: kind === "sgr-tools" ? ["sgr/reasoning_tool", ...tools] : tools };
}

/** The classes of SGR agents by their names, those of all its versions. */
export const agentClasses: Readonly<Record<string, AgentClass>> = {
  BaseAgent: agentClass("tools", []),
  ...Object.fromEntries(
    Object.entries(WAYS).flatMap(([way, kind]) => [
      [`${way}Agent`, agentClass(kind, [])],
      [`${way}ResearchAgent`, agentClass(kind, [...WEB, REPORT, FINAL])],
      [`Research${way}Agent`, agentClass(kind, [...WEB, REPORT, FINAL])],
      [`Research${way}AgentNoReporting`, agentClass(kind, [...WEB, FINAL])],
    ]),
  ),
  DialogAgent: agentClass("sgr-tools", [ANSWER]),
  ResearchDialogAgent: agentClass("sgr-tools", [...WEB, REPORT, ANSWER]),
};
