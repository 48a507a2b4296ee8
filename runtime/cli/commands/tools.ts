import type { Needs } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Permission } from "../../../schemas/permission.ts";
import type { Catalog, CatalogEntry } from "../../calls/catalog/catalog.ts";
import { chooseTools, type OfferedTool } from "../../calls/catalog/choose_tools.ts";
import { findTool, reasonsOf } from "../../calls/catalog/find_tool.ts";
import { BOXED_PROGRAMS } from "../../walls/grants/policies.ts";
import { profileOf, requireNet } from "../../rooms/profile.ts";
import { type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Options } from "../args/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import type { Host } from "../../host/open_host.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";
import { renderTable } from "../show/columns.ts";
import { firstSentence } from "../help/first_sentence.ts";

/** A tool as `tools` shows it. */
interface Row {
  name: string;
  /** The name under which it is offered, `null` if that is its own. */
  alias: string | null;
  toolset: string;
  description: string;
  needs: Needs;
  parallel: boolean;
  optional: boolean;
  granted: boolean;
  /** The flag, or the box, that is missing; `null` if the tool can run. */
  missing: string | null;
  /** The permissions that its own definition and the configuration give. */
  permissions: readonly Permission[];
}

/** `tools`: every tool, or the chosen ones, with what it needs and whether that is granted. */
export async function listTools({ options, positionals }: Invocation, io: Io): Promise<number> {
  const manifest = await io.manifest();
  await using host = openRun(options, io, { manifest });
  await host.ready({ signal: io.interrupt });
  const { offered, inFull } = choose(host.catalog, { options, words: positionals });
  await keepOnly([], host, options);
  const boxed = await host.box.isUsed();
  const rows = offered.map((one) => describe(one, { host, boxed }));
  if (inFull && !options.json) {
    const { toolHelp } = await import("../help/tool_help.ts");
    const pages = offered.map(({ entry }, at) => toolHelp(host.catalog, entry.tool, showGrant(rows[at]!)));
    await print(io, pages.join("\n"));
  } else {
    await print(io, options.json ? jsonLine(rows) : renderRows(rows, io.stdoutWidth()));
  }
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

function describe(
  { entry: { tool: entry }, name }: OfferedTool,
  { host, boxed }: { host: Host; boxed: boolean },
): Row {
  const { full_name, toolset, description, needs, parallel, optional } = entry;
  const missing = missingFlag(entry, host) ?? (boxed ? null : missingWithoutBox(entry, host));
  return {
    name: full_name,
    alias: name === entry.name ? null : name,
    toolset,
    description,
    needs,
    parallel,
    optional,
    granted: missing === null,
    missing,
    permissions: shownPermissions(entry, host),
  };
}

/** Functions do not come from the command line. */
function shownPermissions(entry: ManifestEntry, { control }: Host): Permission[] {
  const permissions = control.permissions(entry);
  return permissions.filter((permission) => typeof permission !== "function");
}

function missingFlag(entry: ManifestEntry, host: Host): string | null {
  try {
    requireNet(entry, host.grants);
    profileOf(entry, host.grants, host);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return String(error.details.flag);
  }
}

function showGrant({ missing, permissions }: Row): string {
  if (permissions.includes("deny")) return "denied by the configuration";
  if (missing !== null) return `needs ${missing}`;
  const conditions = permissions.flatMap((permission) => {
    if (permission === "allow") return [];
    if (permission === "confirm") return ["asks first"];
    return [
      typeof permission === "object" && "roles" in permission ? "for some roles" : "for some arguments",
    ];
  });
  return ["granted", ...new Set(conditions)].join(", ");
}

/** Without a box only named programs start. Under a read-only policy no program starts. */
function missingWithoutBox(entry: ManifestEntry, { grants }: Host): string | null {
  if (entry.needs.run === undefined) return null;
  if (grants.policy !== "coder") return "a sandbox";
  const { run } = grants.allow;
  const named = run === true || run.some((program) => program !== BOXED_PROGRAMS);
  return named ? null : "--allow-run or a sandbox";
}

/** One line a tool; a terminal shows as much of it as it has columns for. */
function renderRows(rows: readonly Row[], width: number | null): string {
  const cells = rows.map((row) => [
    row.alias === null ? row.name : `${row.name}=${row.alias}`,
    Object.keys(row.needs).join(" ") || "nothing",
    showGrant(row),
    (row.optional ? "(optional) " : "") + firstSentence(row.description),
  ]);
  const narrow = [[3, 22], [2, 14]] as const;
  return renderTable([["TOOL", "NEEDS", "GRANT", "WHAT IT DOES"], ...cells], { width, narrow });
}
