import type { OfferedTool } from "../calls/catalog/find_tool.ts";
import type { AgentTool } from "./loop/parts.ts";

/** Returns the tools of a run as its loop sees them, in the order in which they are offered. */
export function toAgentTools(offered: readonly OfferedTool[]): AgentTool[] {
  return offered.map(({ entry, name }) => ({
    name,
    full_name: entry.full_name,
    description: entry.description,
    parameters: withoutDialect(entry.input_schema),
    parallel: entry.parallel,
    read_only: entry.read_only,
    concurrency: entry.limits.concurrency,
    ends_run: entry.ends_run,
  }));
}

/** Some providers refuse a schema that names its dialect. */
function withoutDialect({ $schema: _, ...schema }: OfferedTool["entry"]["input_schema"]) {
  return schema;
}
