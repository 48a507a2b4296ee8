import type { AgentClass, FileAgentText } from "../../schemas/step/agent_definition.ts";
import type { ThinkingKind } from "../../schemas/step/thinking.ts";

const WEB = ["sgr/web_search_tool", "sgr/extract_page_content_tool"];
const REPORT = "sgr/create_report_tool";
const FINAL = "sgr/final_answer_tool";
const ANSWER = "sgr/answer_tool";
/** What that system's own file agent reads and searches with. */
const FILES = ["harness/Glob", "harness/Grep", "harness/Read"];

/** The ways of thinking of SGR agents, by the middle of their classes' names. */
const WAYS: Readonly<Record<string, ThinkingKind>> = {
  SGR: "sgr",
  Iron: "sgr",
  ToolCalling: "tools",
  SGRToolCalling: "sgr-tools",
  SGRAutoToolCalling: "sgr-tools",
  SGRSOToolCalling: "sgr-tools",
};

/**
 * Agents that reason by a call of its own have the tool for it, whether they name it or not. Those that only call tools
 * are asked for a call each time, as that system asks.
 */
function agentClass(kind: ThinkingKind, tools: readonly string[]): AgentClass {
  if (kind === "tools") return { kind, must_call: true, tools };
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
  SGRFileAgent: agentClass("sgr-tools", FILES),
  ProgressiveDiscoveryAgent: agentClass("sgr-tools", []),
};

const USUAL_TOOLS = [
  "clarification_tool",
  "generate_plan_tool",
  "adapt_plan_tool",
  "final_answer_tool",
  "web_search_tool",
  "extract_page_content_tool",
  "create_report_tool",
];

/** The agents of a file that names none: those that every installation of SGR has. */
export const fileAgents: Readonly<Record<string, FileAgentText>> = {
  sgr_agent: { base_class: "ResearchSGRAgent", tools: USUAL_TOOLS },
  tool_calling_agent: { base_class: "ResearchToolCallingAgent", tools: USUAL_TOOLS },
  sgr_tool_calling_agent: { base_class: "ResearchSGRToolCallingAgent", tools: USUAL_TOOLS },
};

/** The agents that a configuration of OpenManus is for; the first one works where none is named. */
export const manusAgents: readonly string[] = ["manus", "swe", "data_analysis", "browser"];
