import type { DescribedTool } from "../../calls/catalog/catalog.ts";
import type { OfferedTool } from "../../calls/catalog/choose_tools.ts";
import type { AgentTool } from "../loop/parts.ts";

/** Returns the tools of a run as its loop sees them, in the order in which they are offered. */
export function toAgentTools(offered: readonly OfferedTool<DescribedTool>[]): AgentTool[] {
  return offered.map(({ entry: { tool }, name }) => ({
    name,
    full_name: tool.full_name,
    ...tool.own_name !== undefined && { own_name: tool.own_name },
    description: tool.description,
    parameters: withoutDialect(tool.input_schema),
    parallel: tool.parallel,
    read_only: tool.read_only,
    ...tool.idempotent && { idempotent: true },
    ...tool.step_part && { step_part: tool.step_part },
    ends_run: tool.ends_run,
    ...tool.keeps_plans && { keeps_plans: tool.keeps_plans },
    ...tool.cuts_long && { cuts_long: true },
  }));
}

/** Some providers refuse a schema that names its dialect. */
function withoutDialect({ $schema: _, ...schema }: OfferedTool["entry"]["tool"]["input_schema"]) {
  return schema;
}
