import { ToolError } from "../../../schemas/error.ts";
import { nearest } from "../../../schemas/nearest.ts";
import type { Catalog, DescribedTool } from "./catalog.ts";

/**
 * Finds a tool by its full name, or by its bare name if only one toolset has it; a bare name of the default set wins.
 *
 * @throws {ToolError} `invalid_input` with the candidates or the nearest names
 */
export function findTool<Entry extends DescribedTool>(
  { entries, defaultToolset }: Catalog<Entry>,
  name: string,
): Entry {
  const full = entries.find(({ tool }) => tool.full_name === name);
  if (full) return full;
  const bare = entries.filter(({ tool }) => tool.name === name);
  const preferred = bare.find(({ tool }) => tool.toolset === defaultToolset);
  if (preferred) return preferred;
  if (bare.length === 1) return bare[0]!;
  if (bare.length > 1) {
    const candidates = bare.map(({ tool }) => tool.full_name);
    throw new ToolError("invalid_input", `Tool name "${name}" is ambiguous: say ${candidates.join(" or ")}`, {
      details: { candidates },
    });
  }
  const names = entries.flatMap(({ tool }) => [tool.full_name, tool.name]);
  const candidates = [...new Set(nearest(name, names))];
  const hint = candidates.length > 0 ? `, did you mean ${candidates.join(" or ")}?` : ".";
  throw new ToolError("invalid_input", `Unknown tool "${name}"${hint} See: bulkhead tools`, {
    details: { candidates },
  });
}
