import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import type { OfferedTool } from "../../calls/catalog/choose_tools.ts";
import { OfferedTools } from "../../calls/catalog/offered_tools.ts";
import { SEARCH_TOOL, withSearch } from "./search_tool.ts";

/** Returns tools that were added; it may return those again that it returned before. */
export type FindAdded = (signal: AbortSignal) => Promise<readonly OfferedTool[]>;

/** What the tools of a run are made of. */
export interface ModelToolsPlan {
  /** Those of the beginning. */
  chosen: readonly OfferedTool[];
  /** How many go with every request; the search finds the others. */
  most: number;
  findAdded: FindAdded;
  warn(message: string): void;
}

/** The tools that the model of a run is offered: those of its beginning, and those that sources add. */
export class ModelTools {
  readonly offered: OfferedTools;
  readonly #plan: ModelToolsPlan;

  /** @throws {ToolError} `configuration` if there are too many, and one has the name of the search */
  constructor(plan: ModelToolsPlan) {
    this.#plan = plan;
    this.offered = new OfferedTools(withSearch(plan.chosen, plan.most, this.#now));
  }

  /** Looks what was added since, and returns it: with the search, if there are too many of them now. */
  async grow(signal: AbortSignal): Promise<readonly OfferedTool[]> {
    const { most, findAdded, warn } = this.#plan;
    const found = await findAdded(signal);
    const { all } = this.offered;
    const isSearched = all.some(({ name }) => name === SEARCH_TOOL.name);
    const hasSearch = this.offered.entryOf(SEARCH_TOOL.fullName) !== undefined;
    // Nothing could find them if another tool has the name of the search.
    const room = isSearched && !hasSearch ? Math.max(0, most - all.length) : Infinity;
    const added = this.offered.add(found.filter(({ entry }) => this.#isNew(entry)).slice(0, room), warn);
    if (added.length === 0 || all.length + added.length <= most || isSearched) return added;
    const [search] = withSearch(this.offered.all, most, this.#now);
    return [...this.offered.add([search!], warn), ...added];
  }

  #isNew({ tool: { full_name } }: CatalogEntry): boolean {
    return this.offered.entryOf(full_name) === undefined;
  }

  readonly #now = (): readonly OfferedTool[] => this.offered.all;
}
