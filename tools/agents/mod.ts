import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";
import { browser } from "./browser.ts";
import { dataAnalysis } from "./data_analysis.ts";
import { defaultAgent } from "./default.ts";
import { dialog } from "./dialog.ts";
import { manus } from "./manus.ts";
import { research } from "./research.ts";
import { swe } from "./swe.ts";

export { agentClasses, fileAgents, manusAgents } from "./classes.ts";

/** The agents that are there without any configuration, by name; `default` is the one of a run that names none. */
export const agents: Readonly<Record<string, AgentDefinition>> = {
  default: defaultAgent,
  research,
  manus,
  swe,
  data_analysis: dataAnalysis,
  browser,
  dialog,
};
