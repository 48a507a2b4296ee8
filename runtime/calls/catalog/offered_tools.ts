import type { Catalog, CatalogEntry } from "./catalog.ts";
import { type OfferedTool, staysWithin, type ToolChoice } from "./choose_tools.ts";

/** The tools that a caller is offered. None of them goes or gets another name: there may only be more. */
export class OfferedTools {
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #names = new Map<string, string>();
  /** The names in lower case: models mix up cases. */
  readonly #taken = new Set<string>();
  /** Full names of tools that are left out for good. */
  readonly #refused = new Set<string>();
  #all: readonly OfferedTool[] = [];

  constructor(tools: readonly OfferedTool[]) {
    this.#append(tools);
  }

  /** In the order in which they came; the same list as long as there are no more. */
  get all(): readonly OfferedTool[] {
    return this.#all;
  }

  /** Under which names they are offered, by their full names. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  /** Finds a tool by its full name. */
  entryOf(fullName: string): CatalogEntry | undefined {
    return this.#entries.get(fullName);
  }

  /**
   * Adds tools, but those that are offered already, and those whose name another one has.
   *
   * @returns What was added
   */
  add(tools: readonly OfferedTool[], warn: (message: string) => void): readonly OfferedTool[] {
    const added: OfferedTool[] = [];
    for (const one of tools) {
      const { name, entry: { tool: { full_name } } } = one;
      if (this.#entries.has(full_name) || this.#refused.has(full_name)) continue;
      if (this.#taken.has(name.toLowerCase())) {
        this.#refused.add(full_name);
        warn(`${full_name} was added and is not offered: another tool is offered as "${name}"`);
      } else {
        this.#append([one]);
        added.push(one);
      }
    }
    return added;
  }

  #append(tools: readonly OfferedTool[]): void {
    this.#all = [...this.#all, ...tools];
    for (const { entry, name } of tools) {
      this.#entries.set(entry.tool.full_name, entry);
      this.#names.set(entry.tool.full_name, name);
      this.#taken.add(name.toLowerCase());
    }
  }
}

/**
 * Returns the tools of a catalog that a choice takes in if they come later: those of its whole toolsets. Tools that were
 * named one by one are the complete choice.
 */
export function laterTools(
  { entries, defaultToolset, addedToolsets = [] }: Catalog,
  { toolsets = [], tools = [], only, within }: ToolChoice,
): OfferedTool[] {
  if (tools.length > 0 || only !== undefined) return [];
  const wanted = toolsets.length > 0 ? toolsets : [defaultToolset, ...addedToolsets];
  return entries
    .filter(({ tool }) => wanted.includes(tool.toolset) && !tool.optional && staysWithin(tool, within))
    .map((entry) => ({ entry, name: entry.tool.name }));
}
