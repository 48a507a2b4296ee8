import { ToolError } from "../../../schemas/error.ts";
import { nearest } from "../../../schemas/nearest.ts";
import type { Catalog, DescribedTool } from "./catalog.ts";
import { isSpelledLike } from "../../text/spelled_like.ts";

/**
 * Finds a tool by its full name, or by its bare name: one of the default set in any letter case, else one that only one
 * toolset has. A name that is none may be spelled otherwise: `WebSearchTool` or `websearchtool` for `web_search_tool`, if
 * that fits one tool only. {@linkcode noteOnName} tells what the caller may not expect.
 *
 * @throws {ToolError} `invalid_input` with the candidates or the nearest names
 */
export function findTool<Entry extends DescribedTool>(
  { entries, defaultToolset, leftOut = [] }: Catalog<Entry>,
  name: string,
): Entry {
  const full = entries.find(({ tool }) => tool.full_name === name);
  if (full) return full;
  const bare = entries.filter(({ tool }) => tool.name === name);
  const usual = entries.filter(({ tool }) => tool.toolset === defaultToolset);
  const preferred = usual.find(({ tool }) => tool.name === name) ??
    usual.find(({ tool }) => tool.name.toLowerCase() === name.toLowerCase());
  if (preferred) return preferred;
  const fitting = bare.length > 0 ? bare : entries.filter(({ tool }) => isSpelledLike(name, tool));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    const candidates = fitting.map(({ tool }) => tool.full_name);
    throw new ToolError("invalid_input", `Tool name "${name}" is ambiguous: say ${candidates.join(" or ")}`, {
      details: { candidates },
    });
  }
  const names = entries.flatMap(({ tool }) => [tool.full_name, tool.name]);
  const candidates = [...new Set(nearest(name, names))];
  const hint = candidates.length > 0 ? `, did you mean ${candidates.join(" or ")}?` : "";
  const lost = leftOut.length > 0
    ? `${hint === "" ? ";" : ""} some tools are left out: ${reasonsOf(leftOut)}`
    : "";
  throw new ToolError("invalid_input", `Unknown tool "${name}"${hint}${lost}`, {
    // Each face says where its tools are listed.
    details: { candidates, unknown_tool: name },
  });
}

/** How many reasons are told. */
const MAX_REASONS = 5;

/** Joins why tools are not there; the first ones are enough to begin with. */
export function reasonsOf(reasons: readonly string[]): string {
  const more = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} more` : "";
  return `${reasons.slice(0, MAX_REASONS).join("; ")}${more}`;
}

/**
 * Says whether a name means a tool that is already known, whatever others there may be: a full name, or a bare one of the
 * default set.
 */
export function isCertain({ entries, defaultToolset }: Catalog<DescribedTool>, name: string): boolean {
  return entries.some(({ tool }) =>
    tool.full_name === name ||
    (tool.toolset === defaultToolset && tool.name.toLowerCase() === name.toLowerCase())
  );
}

/** Says which tool a bare name was taken for, where another letter case or another set may be meant; `null` if it is plain. */
export function noteOnName(
  { entries, addedToolsets = [] }: Catalog<DescribedTool>,
  name: string,
  { tool }: DescribedTool,
): string | null {
  if (name === tool.full_name) return null;
  // Whoever has added a tool of this name may mean that one.
  const others = entries.filter(({ tool: other }) =>
    other.name === name && other !== tool && (name !== tool.name || addedToolsets.includes(other.toolset))
  ).map(({ tool: other }) => other.full_name);
  if (name === tool.name && others.length === 0) return null;
  const rest = others.length === 0 ? "" : `; for ${others.join(" or ")} say the full name`;
  return `"${name}" was taken for ${tool.full_name}${rest}`;
}
