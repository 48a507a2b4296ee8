import type { Catalog, CatalogEntry } from "../../calls/catalog/catalog.ts";
import type { SourceHost, SourceSettings, SourceState } from "../source.ts";
import type { OpenSources } from "./open_sources.ts";

/** How the sources of a run are made ready. */
export interface ReadyOptions {
  signal?: AbortSignal;
  /** Loads nothing, and tells how the sources are doing that were loaded before. @default false */
  onlyLoaded?: boolean;
  /** Is called from now on whenever a source may have added tools: to be made ready once more takes them in. @default nobody is */
  onMore?: () => void;
}

/** The sources of a run. */
export interface LazySources {
  ready(options?: ReadyOptions): Promise<readonly SourceState[]>;
  end(): Promise<void>;
}

/** What sources are made of. */
export interface LazyPlan {
  /** `null` if there are none. */
  sources: SourceSettings | null;
  /** The tools of the run, to which theirs are added. */
  catalog: Catalog;
  host: SourceHost;
  /** Is called once they have loaded; what it throws is the failure of the load. */
  onLoaded(): void;
}

/** Makes the sources of a run. Nothing of them is imported before a run that has any is made ready. */
export function lazySources({ sources, catalog, host, onLoaded }: LazyPlan): LazySources {
  let loading: Promise<OpenSources> | undefined;
  let opened: OpenSources | undefined;
  const load = async (settings: SourceSettings, signal: AbortSignal | undefined) => {
    const { openSources } = await import("./open_sources.ts");
    opened = await openSources(settings, host, { known: catalog.entries, signal });
    addTo(catalog, opened.entries);
    catalog.leftOut = opened.leftOut;
    onLoaded();
    return opened;
  };
  const tools = {
    get entries() {
      return catalog.entries;
    },
    add: (entries: readonly CatalogEntry[]) => addTo(catalog, entries),
  };
  return {
    async ready({ signal, onlyLoaded = false, onMore } = {}) {
      if (onlyLoaded || sources === null) return opened?.states() ?? [];
      const wasOpen = opened !== undefined;
      const { growth, states } = await (loading ??= load(sources, signal));
      if (onMore) growth.listen(onMore);
      if (wasOpen) await growth.takeIn(tools, signal);
      return states();
    },
    async end() {
      await loading?.catch(() => {});
      await opened?.[Symbol.asyncDispose]();
    },
  };
}

function addTo(catalog: Catalog, added: readonly CatalogEntry[]): void {
  catalog.entries = [...catalog.entries, ...added];
  const toolsets = added.map(({ tool }) => tool.toolset);
  catalog.addedToolsets = [...new Set([...catalog.addedToolsets ?? [], ...toolsets])];
}
