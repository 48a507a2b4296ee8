import type { ToolLimits } from "../../../schemas/config.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { isSpelledLike } from "../../text/spelled_like.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";
import type { ConfigFile } from "./find_config.ts";

/**
 * Gives the tools of a configuration their full names: `WebSearchTool` and `web_search_tool` name the one tool that they
 * fit. A name that fits none or several, or that another entry means too, stays as it is, and the check refuses it.
 */
export function withFullNames<File extends Pick<ConfigFile, "config">>(
  file: File,
  tools: readonly ManifestEntry[],
): File {
  const { config } = file;
  if (!isObject(config) || !isObject(config.tools)) return file;
  const known = new Set(tools.map(({ full_name }) => full_name));
  const entries = Object.entries(config.tools).map(([said, entry]) => {
    const fitting = known.has(said) ? [] : tools.filter((tool) => isSpelledLike(said, tool));
    return { said, meant: fitting.length === 1 ? fitting[0]!.full_name : said, entry };
  });
  const isTaken = (name: string) => entries.filter(({ meant }) => meant === name).length > 1;
  const named = entries.map(({ said, meant, entry }) => [isTaken(meant) ? said : meant, entry]);
  return { ...file, config: { ...config, tools: Object.fromEntries(named) } };
}

/**
 * Gives limits the full names of their tools: another spelling counts if no tool has the name itself, and it fits one
 * tool only.
 */
export function withLimitNames<Limits extends { tools?: Readonly<Record<string, ToolLimits>> | undefined }>(
  limits: Limits,
  tools: readonly ManifestEntry[],
): Limits {
  const named: Record<string, ToolLimits> = {};
  for (const [pattern, limit] of Object.entries(limits.tools ?? {})) {
    const said = pattern.replace(/^\*\//, "");
    const isKnown = said.includes("*") || tools.some(({ full_name }) => matchesPattern(pattern, full_name));
    const fitting = isKnown ? [] : tools.filter((tool) => isSpelledLike(said, tool));
    const name = fitting.length === 1 ? fitting[0]!.full_name : pattern;
    named[name] = { ...named[name], ...limit };
  }
  return limits.tools === undefined ? limits : { ...limits, tools: named };
}
