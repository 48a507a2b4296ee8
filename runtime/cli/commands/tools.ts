import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { Catalog, CatalogEntry } from "../../calls/catalog/catalog.ts";
import { chooseTools, type OfferedTool } from "../../calls/catalog/choose_tools.ts";
import { findTool, reasonsOf } from "../../calls/catalog/find_tool.ts";
import { type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";
import { renderToolRows, showGrant, toolRow } from "../show/tables/tool_rows.ts";

/** `tools`: every tool, or the chosen ones, with what it needs and whether that is granted. */
export async function listTools({ options, positionals }: Invocation, io: Io): Promise<number> {
  const manifest = await io.manifest();
  if (options.offered && positionals.length === 0) return await listOffered(options, io, manifest);
  await using host = openRun(options, io, { manifest });
  await host.ready({ signal: io.interrupt });
  const { offered, inFull } = choose(host.catalog, { options, words: positionals });
  await keepOnly([], { host, options, io });
  const boxed = await host.box.isUsed();
  const rows = offered.map((one) => toolRow(one, { host, boxed }));
  if (inFull && !options.json) {
    const { toolHelp } = await import("../help/tool_help.ts");
    const pages = offered.map(({ entry }, at) => toolHelp(host.catalog, entry.tool, showGrant(rows[at]!)));
    await print(io, pages.join("\n"));
  } else {
    await print(io, options.json ? jsonLine(rows) : renderToolRows(rows, io.stdoutWidth()));
  }
  return 0;
}

/** What a run gives to the model depends on its agent. */
async function listOffered(options: Options, io: Io, manifest: Manifest): Promise<number> {
  const { openAgentHost } = await import("../setup/open_agent_host.ts");
  await using opened = await openAgentHost(options, io, manifest);
  const { host, offered } = opened;
  await keepOnly([], { host, options, io });
  const boxed = await host.box.isUsed();
  const rows = offered.map((one) => toolRow(one, { host, boxed }));
  await print(io, options.json ? jsonLine(rows) : renderToolRows(rows, io.stdoutWidth()));
  return 0;
}

/** The chosen tools, and whether each one is shown in full because it was named. */
function choose(
  catalog: Catalog,
  { options, words }: { options: Options; words: readonly string[] },
): { offered: readonly OfferedTool[]; inFull: boolean } {
  const { tool: tools = [], toolset = [], extraTool: extraTools = [] } = options;
  const sets = new Set(catalog.entries.map(({ tool }) => tool.toolset));
  const chosen = tools.length + toolset.length + extraTools.length > 0;
  if (words.length > 0 && words.every((word) => sets.has(word))) {
    const offered = chooseTools(catalog, { toolsets: [...words, ...toolset], tools, extraTools });
    return { offered, inFull: false };
  }
  for (const word of words) requireSource(catalog, word);
  if (words.length > 0 && chosen) {
    throw new ToolError("invalid_input", "Name the tools, or choose them with options: not both");
  }
  const plain = (entry: CatalogEntry): OfferedTool => ({ entry, name: entry.tool.name });
  if (words.length > 0) return { offered: words.map((word) => plain(findTool(catalog, word))), inFull: true };
  if (!chosen) return { offered: catalog.entries.map(plain), inFull: false };
  return { offered: chooseTools(catalog, { toolsets: toolset, tools, extraTools }), inFull: false };
}

/** Where tools come from besides the built-in ones, and what adds some. */
const SOURCES: Readonly<Record<string, string>> = {
  own: "--tools, or tool_files in your configuration",
  script: "script_tools in your configuration",
  mcp: "--mcp, or mcpServers in your configuration",
};

/** @throws {ToolError} `not_found` for a source that has no tools, with the reason */
function requireSource({ entries, leftOut = [] }: Catalog, word: string): void {
  const isThere = entries.some(({ tool }) => tool.toolset === word || tool.name === word);
  if (isThere || !Object.hasOwn(SOURCES, word)) return;
  const why = leftOut.length > 0 ? reasonsOf(leftOut) : `name some with ${SOURCES[word]}`;
  throw new ToolError("not_found", `There are no tools of ${word}: ${why}`);
}
