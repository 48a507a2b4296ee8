import type { TraceLine } from "../../../schemas/agent/trace.ts";
import type { AgentTool, ToolShelf } from "../loop/parts.ts";
import { indexOf, isOpenAtStart, openedBy, SEARCH_TOOL } from "./search_tool.ts";
import type { SearchedTool, ToolIndex } from "./tool_index.ts";

/**
 * The tools of a run, of which requests have only the open ones; without a search, all are open. What is open follows
 * from the calls, and from what was added, alone.
 */
export class SearchedShelf implements ToolShelf {
  readonly #names = new Set<string>();
  #all: readonly AgentTool[] = [];
  #index: ToolIndex<SearchedTool> | null = null;
  #open: readonly AgentTool[] | null = null;

  /** @param tools All tools; if a search is among them, open are the search, and what ends the run */
  constructor(tools: readonly AgentTool[]) {
    this.add(tools);
  }

  /** All tools, in the order in which they are offered. The same list as long as none is added. */
  get all(): readonly AgentTool[] {
    return this.#all;
  }

  /** The tools of the next request, in the order in which they are offered. The same list as long as none is opened. */
  get open(): readonly AgentTool[] {
    return this.#open ??= this.#all.filter(({ name }) => this.#names.has(name));
  }

  /** Adds tools. What is open stays open; if there is a search, or one is among them, it has to find the others. */
  add(tools: readonly AgentTool[]): void {
    const hasSearch = [...this.#all, ...tools].some(({ full_name }) => full_name === SEARCH_TOOL.fullName);
    this.#all = [...this.#all, ...tools];
    this.#open = null;
    this.#index = null;
    for (const tool of tools) if (!hasSearch || isOpenAtStart(tool)) this.#names.add(tool.name);
  }

  /** Takes note of a call: a search opens what it finds, and a tool that is called is open. */
  note(fullName: string, input: unknown): void {
    const called = this.#all.find(({ full_name }) => full_name === fullName);
    const found = fullName === SEARCH_TOOL.fullName
      ? openedBy(input, this.#index ??= indexOf(this.#all))
      : [];
    const names = called === undefined ? found : [called.name, ...found];
    if (names.every((name) => this.#names.has(name))) return;
    for (const name of names) this.#names.add(name);
    this.#open = null;
  }
}

/**
 * Makes the shelf of a run.
 *
 * @param earlier What earlier runs of the session left: what they opened is open
 */
export function makeShelf(tools: readonly AgentTool[], earlier: readonly TraceLine[]): SearchedShelf {
  const shelf = new SearchedShelf(tools);
  for (const line of earlier) if (line.t === "call") shelf.note(line.tool, line.arguments);
  return shelf;
}
