import { ToolError } from "../../../schemas/error.ts";
import type { Catalog, CatalogEntry, DescribedTool } from "./catalog.ts";
import { findTool } from "./find_tool.ts";

/** Which tools a run offers, by the flags that name them. */
export interface ToolChoice {
  /** `--toolset`: replaces the default set. */
  toolsets?: readonly string[];
  /** `--tool NAME` or `NAME=ALIAS`: the whole choice. */
  tools?: readonly string[];
  /** `--extra-tool`: appended. */
  extraTools?: readonly string[];
}

/** A tool as it is offered: under its bare name or an alias. */
export interface OfferedTool<Entry extends DescribedTool = CatalogEntry> {
  entry: Entry;
  name: string;
}

/**
 * Makes the list of offered tools: the default set, or the named toolsets, or exactly the named tools.
 *
 * @throws {ToolError} `invalid_input` for unknown names, for choices that exclude each other, and if two tools would
 * be offered under one name
 */
export function chooseTools<Entry extends DescribedTool>(
  catalog: Catalog<Entry>,
  choice: ToolChoice,
): OfferedTool<Entry>[] {
  const { toolsets = [], tools = [], extraTools = [] } = choice;
  if (tools.length > 0 && (toolsets.length > 0 || extraTools.length > 0)) {
    throw new ToolError(
      "invalid_input",
      "--tool names the complete choice and cannot be combined with --toolset or --extra-tool",
    );
  }
  const offered = tools.length > 0
    ? tools.map((word) => offer(catalog, word))
    : [...toolsetTools(catalog, toolsets), ...extraTools.map((word) => offer(catalog, word))];
  refuseClashes(offered);
  return offered;
}

function offer<Entry extends DescribedTool>(catalog: Catalog<Entry>, word: string): OfferedTool<Entry> {
  const [name = "", alias] = word.split("=", 2);
  const entry = findTool(catalog, name);
  if (alias !== undefined && !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(alias)) {
    throw new ToolError(
      "invalid_input",
      `Cannot offer ${entry.tool.full_name} as "${alias}": use 1 to 64 letters, digits, "_" or "-"`,
    );
  }
  return { entry, name: alias ?? entry.tool.name };
}

function toolsetTools<Entry extends DescribedTool>(
  { entries, defaultToolset }: Catalog<Entry>,
  toolsets: readonly string[],
): OfferedTool<Entry>[] {
  const wanted = toolsets.length > 0 ? toolsets : [defaultToolset];
  const known = [...new Set(entries.map(({ tool }) => tool.toolset))];
  for (const name of wanted) {
    if (known.includes(name)) continue;
    throw new ToolError("invalid_input", `Unknown toolset "${name}": there are ${known.join(", ")}`, {
      details: { candidates: known },
    });
  }
  return entries
    .filter(({ tool }) => wanted.includes(tool.toolset) && !tool.optional)
    .map((entry) => ({ entry, name: entry.tool.name }));
}

function refuseClashes(offered: readonly OfferedTool<DescribedTool>[]): void {
  const byName = new Map<string, DescribedTool["tool"]>();
  for (const { entry: { tool }, name } of offered) {
    const other = byName.get(name);
    if (other) {
      throw new ToolError(
        "invalid_input",
        `Both ${other.full_name} and ${tool.full_name} would be offered as "${name}": ` +
          `rename one with --tool ${tool.full_name}=${tool.toolset}_${tool.name}`,
        { details: { candidates: [other.full_name, tool.full_name] } },
      );
    }
    byName.set(name, tool);
  }
}
