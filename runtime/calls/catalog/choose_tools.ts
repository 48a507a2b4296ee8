import { ToolError } from "../../../schemas/error.ts";
import { describeTool } from "../../text/tool_names.ts";
import type { Catalog, CatalogEntry, DescribedTool } from "./catalog.ts";
import { isSpelledLike } from "../../text/spelled_like.ts";
import { findTool, reasonsOf } from "./find_tool.ts";

/** Which tools a run offers, by the flags that name them. */
export interface ToolChoice {
  /** `--toolset`: replaces the default set. */
  toolsets?: readonly string[];
  /** `--tool NAME` or `NAME=ALIAS`: the whole choice. */
  tools?: readonly string[];
  /** `--extra-tool`: appended. */
  extraTools?: readonly string[];
  /** Toolsets and single tools that come with `tools`, as far as they are there. @default none */
  beside?: readonly string[];
  /** Leaves of the toolsets' tools only these, which may get other names. @default all */
  only?: readonly string[];
  /** Of all that is chosen, only these stay: names, bare or full, and toolsets. @default all */
  within?: readonly string[];
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
  const { toolsets = [], tools = [], beside = [], only, within } = choice;
  const extraTools = [...new Set(choice.extraTools)];
  if (tools.length > 0 && (toolsets.length > 0 || extraTools.length > 0)) {
    throw new ToolError(
      "invalid_input",
      "--tool names the complete choice and cannot be combined with --toolset or --extra-tool",
    );
  }
  const chosen = tools.length > 0 ? withBeside(tools.map((word) => offer(catalog, word)), catalog, beside) : [
    ...leftOf(toolsetTools(catalog, toolsets), catalog, only),
    ...extraTools.map((word) => offer(catalog, word)),
  ];
  refuseClashes(chosen, { choice, defaultToolset: catalog.defaultToolset });
  const offered = chosen.filter(({ entry: { tool } }) => staysWithin(tool, within));
  return offered.map((one) => describeAmong(offered, one));
}

/** Says whether a tool is one of those that may be offered at all. */
export function staysWithin(
  { name, full_name, toolset }: Pick<DescribedTool["tool"], "name" | "full_name" | "toolset">,
  within: ToolChoice["within"],
): boolean {
  return within === undefined || [name, full_name, toolset].some((word) => within.includes(word));
}

function withBeside<Entry extends DescribedTool>(
  offered: readonly OfferedTool<Entry>[],
  { entries }: Catalog<Entry>,
  words: readonly string[],
): OfferedTool<Entry>[] {
  const meant = words.flatMap((word) => {
    const fitting = entries.filter(({ tool }) => tool.full_name === word || isSpelledLike(word, tool));
    return fitting.length === 1 ? fitting : [];
  });
  const more = entries.filter((entry) =>
    (words.includes(entry.tool.toolset) || meant.includes(entry)) &&
    !offered.some((one) => one.entry === entry)
  );
  return [...offered, ...more.map((entry) => ({ entry, name: entry.tool.name }))];
}

function leftOf<Entry extends DescribedTool>(
  offered: readonly OfferedTool<Entry>[],
  catalog: Catalog<Entry>,
  only: readonly string[] | undefined,
): readonly OfferedTool<Entry>[] {
  return only?.map((word) => offer(catalog, word))
    .filter(({ entry }) => offered.some((one) => one.entry === entry)) ?? offered;
}

/** A description names other tools as they are offered, and no tool that is not. */
function describeAmong<Entry extends DescribedTool>(
  offered: readonly OfferedTool<Entry>[],
  { entry, name }: OfferedTool<Entry>,
): OfferedTool<Entry> {
  const { toolset, description_start, see_also } = entry.tool;
  const nameOf = (other: string) =>
    offered.find(({ entry: { tool } }) => tool.full_name === `${toolset}/${other}`)?.name ?? null;
  const description = describeTool(description_start, see_also, nameOf);
  return { entry: { ...entry, tool: { ...entry.tool, description } }, name };
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
  { entries, defaultToolset, addedToolsets = [], leftOut = [] }: Catalog<Entry>,
  toolsets: readonly string[],
): OfferedTool<Entry>[] {
  const wanted = toolsets.length > 0 ? toolsets : [defaultToolset, ...addedToolsets];
  const known = [...new Set(entries.map(({ tool }) => tool.toolset))];
  for (const name of wanted) {
    if (known.includes(name)) continue;
    const lost = leftOut.length > 0 ? `; some tools are left out: ${reasonsOf(leftOut)}` : "";
    throw new ToolError("invalid_input", `Unknown toolset "${name}": there are ${known.join(", ")}${lost}`, {
      details: { candidates: known },
    });
  }
  return entries
    .filter(({ tool }) => wanted.includes(tool.toolset) && !tool.optional)
    .map((entry) => ({ entry, name: entry.tool.name }));
}

/** How the clashing tools were chosen: by name alone, or as a set. */
interface Chosen {
  choice: ToolChoice;
  defaultToolset: string;
}

function refuseClashes(offered: readonly OfferedTool<DescribedTool>[], chosen: Chosen): void {
  const byName = new Map<string, DescribedTool["tool"]>();
  for (const { entry: { tool }, name } of offered) {
    const other = byName.get(name);
    if (other) {
      throw other.full_name === tool.full_name ? duplicate(tool, chosen) : clash([other, tool], name, chosen);
    }
    byName.set(name, tool);
  }
}

function duplicate({ full_name, toolset, name }: DescribedTool["tool"], { choice }: Chosen): ToolError {
  const isExtra = (choice.extraTools ?? []).some((word) => [full_name, name].includes(word));
  const how = isExtra ? `it is in ${toolset} already, so leave the extra one out` : "name it once";
  return new ToolError("invalid_input", `Duplicate tools requested: ${full_name} is chosen twice, ${how}`, {
    details: { candidates: [full_name] },
  });
}

function clash(
  [first, second]: readonly [DescribedTool["tool"], DescribedTool["tool"]],
  name: string,
  chosen: Chosen,
): ToolError {
  const alias = `${second.full_name}=${second.toolset}_${second.name}`;
  return new ToolError(
    "invalid_input",
    `Both ${first.full_name} and ${second.full_name} would be offered as "${name}": ${
      remedy(second, alias, chosen)
    }`,
    { details: { candidates: [first.full_name, second.full_name] } },
  );
}

/** A tool of a set has no name of its own to change: its set has to go, and it comes back alone. */
function remedy(
  { toolset, full_name, name }: DescribedTool["tool"],
  alias: string,
  { choice: { tools = [], toolsets = [], extraTools = [] }, defaultToolset }: Chosen,
): string {
  if (tools.length > 0) return `rename one with --tool ${alias}`;
  if (extraTools.some((word) => [full_name, name].includes(word))) {
    return `rename one with --extra-tool ${alias}`;
  }
  const kept = toolsets.filter((other) => other !== toolset).map((other) => `--toolset ${other} `).join("");
  const sets = kept === "" ? `--toolset ${defaultToolset} ` : kept;
  if (toolset === "own" || toolset === "script") {
    return `rename yours where it is defined, or leave the other out with --tool NAME for each tool that you want`;
  }
  return `take single tools of ${toolset}, and ${full_name} under another name, with ${sets}--extra-tool ${alias}`;
}
