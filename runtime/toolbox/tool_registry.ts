import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Catalog } from "../calls/catalog/catalog.ts";
import type { SourceState } from "../sources/source.ts";
import { findPlain, originOf } from "./tool_names.ts";

/** Where the tools of a toolbox come from. */
export interface ToolRegistry {
  /** All tools that are known now; those of sources once they are loaded. */
  readonly tools: readonly ManifestEntry[];
  /** Toolsets whose tools are called by their bare names: the default one first, then those of sources. */
  readonly toolsets: readonly string[];
  /** How each source is doing that had to be loaded. */
  readonly sources: readonly SourceState[];
  /**
   * Finds a tool by its full or its bare name.
   *
   * @throws {ToolError} `invalid_input` with the nearest names
   */
  find(name: string): ManifestEntry;
  /** Returns in words where a tool comes from. Throws as `find` does. */
  sourceOf(name: string): string;
}

/** Makes the registry of a catalog, which may grow. */
export function registryOf(catalog: Catalog, states: () => readonly SourceState[]): ToolRegistry {
  return {
    get tools() {
      return catalog.entries.map(({ tool }) => tool);
    },
    get toolsets() {
      return [catalog.defaultToolset, ...catalog.addedToolsets ?? []];
    },
    get sources() {
      return states();
    },
    find: (name) => findPlain(catalog, name).tool,
    sourceOf: (name) => originOf(findPlain(catalog, name)),
  };
}
