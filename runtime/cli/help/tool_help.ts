import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Catalog, DescribedTool } from "../../calls/catalog/catalog.ts";
import { findTool } from "../../calls/catalog/find_tool.ts";
import { renderTool } from "./render_tool.ts";

/** Returns the help of a tool of a catalog, with the shortest name that finds it. */
export function toolHelp(catalog: Catalog<DescribedTool>, tool: ManifestEntry, grant?: string): string {
  const others = catalog.entries.filter((entry) => entry.tool.name === tool.name && entry.tool !== tool);
  return renderTool(tool, {
    name: shortName(catalog, tool),
    others: others.map((entry) => entry.tool.full_name),
    ...(grant === undefined ? {} : { grant }),
  });
}

/** Returns the bare name of a tool if a call finds it by that, else its full name. */
export function shortName(catalog: Catalog<DescribedTool>, tool: ManifestEntry): string {
  try {
    return findTool(catalog, tool.name).tool === tool ? tool.name : tool.full_name;
  } catch (error) {
    // Several sets have the name, and none of them is the default one.
    if (error instanceof ToolError) return tool.full_name;
    throw error;
  }
}
