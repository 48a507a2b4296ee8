import type { ManifestEntry } from "../../schemas/manifest.ts";

/**
 * Says whether a name is another spelling of a tool's: only letter case, `_` and `-` differ, as in `WebSearchTool` and
 * `websearchtool` for `web_search_tool`, or it is the one that the tool's server has for it, or `SOURCE::NAME`. With a
 * toolset before it, this must be the tool's.
 */
export function isSpelledLike(
  said: string,
  { toolset, name, own_name }: Pick<ManifestEntry, "toolset" | "name" | "own_name">,
): boolean {
  const [source, tool] = said.split("::", 2);
  // The toolbox of design-research-agents has the source of a tool before its name.
  if (tool !== undefined) {
    const ofServer = `mcp_${source}_${tool}`.replace(/[^A-Za-z0-9_-]+/g, "_");
    return `${source}/${tool}` === `${toolset}/${name}` || ofServer === name;
  }
  const at = said.indexOf("/");
  if (at >= 0 && said.slice(0, at).toLowerCase() !== toolset.toLowerCase()) return false;
  const spelled = plainName(said.slice(at + 1));
  return spelled !== "" && (spelled === plainName(name) || said.slice(at + 1) === own_name);
}

/** A name without what spellings differ in. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}
