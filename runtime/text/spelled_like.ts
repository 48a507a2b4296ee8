import type { ManifestEntry } from "../../schemas/manifest.ts";

/**
 * Says whether a name is another spelling of a tool's: only letter case, `_` and `-` differ, as in `WebSearchTool` and
 * `websearchtool` for `web_search_tool`. With a toolset before it, this must be the tool's.
 */
export function isSpelledLike(
  said: string,
  { toolset, name }: Pick<ManifestEntry, "toolset" | "name">,
): boolean {
  const at = said.indexOf("/");
  if (at >= 0 && said.slice(0, at).toLowerCase() !== toolset.toLowerCase()) return false;
  const spelled = plainName(said.slice(at + 1));
  return spelled !== "" && spelled === plainName(name);
}

/** A name without what spellings differ in. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}
