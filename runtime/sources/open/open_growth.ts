import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import type { ToolSource } from "../source.ts";

/** Longest wait for tools that sources add, in milliseconds: what comes later is there the next time. */
const WAIT_MS = 6_000;

/** The tools of a run, to which sources add. */
export interface GrowingTools {
  entries: readonly CatalogEntry[];
  /** Takes tools in, none of which has the name of another one. */
  add(entries: readonly CatalogEntry[]): void;
}

/** What the sources of a run add while it goes on. */
export class OpenGrowth {
  readonly #sources: readonly ToolSource[];
  readonly #counts = new Map<ToolSource, number>();
  readonly #listeners = new Set<() => void>();
  #asking: Promise<void> | undefined;

  /** @param sources Those that have loaded */
  constructor(sources: readonly ToolSource[]) {
    this.#sources = sources.filter(({ growth }) => growth !== undefined);
    for (const { growth } of this.#sources) growth?.listen(() => this.#tell());
  }

  /** How many tools a source has added. */
  countOf(source: ToolSource): number {
    return this.#counts.get(source) ?? 0;
  }

  /** Has this called whenever there may be more. */
  listen(onMore: () => void): void {
    this.#listeners.add(onMore);
  }

  /**
   * Adds what sources have added since this was asked the last time. All callers share one question to the sources, and
   * none of them waits long for it.
   */
  async takeIn(tools: GrowingTools, signal: AbortSignal | undefined): Promise<void> {
    if (this.#sources.length === 0) return;
    this.#asking ??= this.#ask(tools);
    const waited = settlesWithin(this.#asking, WAIT_MS);
    await (signal ? orAborted(waited, signal) : waited);
  }

  async #ask(tools: GrowingTools): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => isLate = true, WAIT_MS);
    try {
      // One after the other: what one of them adds, the next may not.
      for (const source of this.#sources) {
        const found = await source.growth!.added(namesOf(tools));
        // A program that embeds this one may have added tools meanwhile.
        const taken = namesOf(tools);
        const added = found.filter(({ tool }) => !taken.has(tool.name.toLowerCase()));
        if (added.length === 0) continue;
        tools.add(added);
        this.#counts.set(source, this.countOf(source) + added.length);
        if (isLate) this.#tell();
      }
    } finally {
      clearTimeout(timer);
      this.#asking = undefined;
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function namesOf({ entries }: GrowingTools): Set<string> {
  return new Set(entries.map(({ tool }) => tool.name.toLowerCase()));
}
