import { ToolError } from "../../schemas/error.ts";
import type { Catalog, CatalogEntry, DescribedTool } from "../calls/catalog/catalog.ts";
import { findTool } from "../calls/catalog/find_tool.ts";

/** What tells apart where a toolbox has its tools from. */
const SOURCES: Readonly<Record<string, string>> = {
  here: "the functions of this program",
  script: "the scripts",
  own: "the tool files",
  mcp: "the MCP servers",
};

/** Returns what messages call the source of a tool. */
export function originOf({ tool: { toolset } }: DescribedTool): string {
  return SOURCES[toolset] ?? `the built-in tools, in ${toolset}`;
}

/** What is called by its bare name alone: the default toolset, in any letter case, and the tools of sources. */
function isPlain(
  { defaultToolset, addedToolsets = [] }: Catalog,
  { tool: { toolset } }: DescribedTool,
): boolean {
  return toolset === defaultToolset || addedToolsets.includes(toolset);
}

/**
 * Finds a tool as {@linkcode findTool} does, but a bare name means a tool of the caller's sources before one of another
 * built-in toolset.
 */
export function findPlain(catalog: Catalog, spelled: string): CatalogEntry {
  const name = spelled.trim();
  const plain = catalog.entries.filter((entry) => isPlain(catalog, entry) && entry.tool.name === name);
  return plain.length === 1 ? plain[0]! : findTool(catalog, name);
}

/**
 * Refuses a tool whose bare name another one has that is called by it.
 *
 * @param announced Tools of sources that are not loaded yet
 * @throws {ToolError} `configuration` that names both sources
 */
export function refuseTaken(
  added: DescribedTool,
  catalog: Catalog,
  announced: readonly DescribedTool[],
): void {
  const { name } = added.tool;
  const owner = announced.find(({ tool }) => tool.name === name) ?? catalog.entries.find((entry) => {
    const { tool } = entry;
    if (tool.toolset === catalog.defaultToolset) return tool.name.toLowerCase() === name.toLowerCase();
    return tool.name === name && isPlain(catalog, entry);
  });
  if (owner === undefined) return;
  const sources = [originOf(owner), originOf(added)];
  const where = sources[0] === sources[1]
    ? `both of ${sources[0]}`
    : `one of ${sources[0]}, one of ${sources[1]}`;
  throw new ToolError("configuration", `Two tools are named ${name}, ${where}: rename one of them`, {
    details: { tool: name, candidates: [owner.tool.full_name, added.tool.full_name], sources },
  });
}
