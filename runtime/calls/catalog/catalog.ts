import type { Manifest, ManifestEntry } from "../../../schemas/manifest.ts";
import type { Carrier } from "./carrier.ts";

/** A tool that is known by its description. */
export interface DescribedTool {
  tool: ManifestEntry;
}

/** A tool that can be called. */
export interface CatalogEntry extends DescribedTool {
  /** Runs its calls. */
  carrier: Carrier;
}

/** All tools of a run, from all sources. */
export interface Catalog<Entry extends DescribedTool = CatalogEntry> {
  entries: readonly Entry[];
  /** The toolset whose bare names win, and whose tools a model gets by default. */
  defaultToolset: string;
  /** Toolsets that a model gets beside the default one: those of the run's sources. @default no others */
  addedToolsets?: readonly string[];
  /** Why tools of the run's sources are not there, a sentence each. @default all are there */
  leftOut?: readonly string[];
}

/** Returns the tools of a manifest as far as their descriptions go: enough to find and to show them. */
export function describedCatalog({ tools, default_toolset }: Manifest): Catalog<DescribedTool> {
  return { entries: tools.map((tool) => ({ tool })), defaultToolset: default_toolset };
}
