import { ToolError } from "../../../schemas/error.ts";
import type { Manifest, ManifestEntry } from "../../../schemas/manifest.ts";
import { nearest } from "../../../schemas/nearest.ts";

/** The toolset whose bare names win, and whose tools a model gets by default. */
export const DEFAULT_TOOLSET = "harness";

/**
 * Finds a tool by its full name, or by its bare name if only one toolset has it; a bare name of the default set wins.
 *
 * @throws {ToolError} `invalid_input` with the candidates or the nearest names
 */
export function findTool(manifest: Manifest, name: string): ManifestEntry {
  const full = manifest.tools.find((tool) => tool.full_name === name);
  if (full) return full;
  const bare = manifest.tools.filter((tool) => tool.name === name);
  const preferred = bare.find((tool) => tool.toolset === DEFAULT_TOOLSET);
  if (preferred) return preferred;
  if (bare.length === 1) return bare[0]!;
  if (bare.length > 1) {
    const candidates = bare.map((tool) => tool.full_name);
    throw new ToolError("invalid_input", `Tool name "${name}" is ambiguous: say ${candidates.join(" or ")}`, {
      details: { candidates },
    });
  }
  const names = manifest.tools.flatMap((tool) => [tool.full_name, tool.name]);
  const candidates = [...new Set(nearest(name, names))];
  const hint = candidates.length > 0 ? `, did you mean ${candidates.join(" or ")}?` : ".";
  throw new ToolError("invalid_input", `Unknown tool "${name}"${hint} See: bulkhead tools`, {
    details: { candidates },
  });
}

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
export interface OfferedTool {
  entry: ManifestEntry;
  name: string;
}

/**
 * Makes the list of offered tools: the default set, or the named toolsets, or exactly the named tools.
 *
 * @throws {ToolError} `invalid_input` for unknown names, for choices that exclude each other, and if two tools would
 * be offered under one name
 */
export function chooseTools(manifest: Manifest, choice: ToolChoice): OfferedTool[] {
  const { toolsets = [], tools = [], extraTools = [] } = choice;
  if (tools.length > 0 && (toolsets.length > 0 || extraTools.length > 0)) {
    throw new ToolError(
      "invalid_input",
      "--tool names the complete choice and cannot be combined with --toolset or --extra-tool",
    );
  }
  const offered = tools.length > 0
    ? tools.map((word) => offer(manifest, word))
    : [...toolsetTools(manifest, toolsets), ...extraTools.map((word) => offer(manifest, word))];
  refuseClashes(offered);
  return offered;
}

function offer(manifest: Manifest, word: string): OfferedTool {
  const [name = "", alias] = word.split("=", 2);
  const entry = findTool(manifest, name);
  if (alias !== undefined && !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(alias)) {
    throw new ToolError(
      "invalid_input",
      `Cannot offer ${entry.full_name} as "${alias}": use 1 to 64 letters, digits, "_" or "-"`,
    );
  }
  return { entry, name: alias ?? entry.name };
}

function toolsetTools(manifest: Manifest, toolsets: readonly string[]): OfferedTool[] {
  const wanted = toolsets.length > 0 ? toolsets : [DEFAULT_TOOLSET];
  const known = [...new Set(manifest.tools.map((tool) => tool.toolset))];
  for (const name of wanted) {
    if (known.includes(name)) continue;
    throw new ToolError("invalid_input", `Unknown toolset "${name}": there are ${known.join(", ")}`, {
      details: { candidates: known },
    });
  }
  return manifest.tools
    .filter((tool) => wanted.includes(tool.toolset) && !tool.optional)
    .map((entry) => ({ entry, name: entry.name }));
}

function refuseClashes(offered: readonly OfferedTool[]): void {
  const byName = new Map<string, ManifestEntry>();
  for (const { entry, name } of offered) {
    const other = byName.get(name);
    if (other) {
      throw new ToolError(
        "invalid_input",
        `Both ${other.full_name} and ${entry.full_name} would be offered as "${name}": ` +
          `rename one with --tool ${entry.full_name}=${entry.toolset}_${entry.name}`,
        { details: { candidates: [other.full_name, entry.full_name] } },
      );
    }
    byName.set(name, entry);
  }
}
