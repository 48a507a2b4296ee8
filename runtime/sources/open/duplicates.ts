import { ToolError } from "../../../schemas/error.ts";
import type { DescribedTool } from "../../calls/catalog/catalog.ts";

/** Tools of one source. */
export interface NamedTools {
  /** What messages call the source. */
  name: string;
  entries: readonly DescribedTool[];
}

/**
 * Refuses two tools of one name: a call of the one could run the other.
 *
 * @throws {ToolError} `configuration` that names both sources
 */
export function refuseDuplicates(sources: readonly NamedTools[]): void {
  const owners = new Map<string, string>();
  for (const { name, entries } of sources) {
    for (const { tool: { full_name } } of entries) {
      const owner = owners.get(full_name);
      if (owner !== undefined) throw duplicate(full_name, owner, name);
      owners.set(full_name, name);
    }
  }
}

function duplicate(fullName: string, first: string, second: string): ToolError {
  const where = first === second ? `both of ${first}` : `one of ${first}, one of ${second}`;
  return new ToolError("configuration", `Two tools are named ${fullName}, ${where}: rename one of them`, {
    details: { tool: fullName, sources: [first, second] },
  });
}
