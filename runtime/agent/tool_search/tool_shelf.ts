import type { TraceLine } from "../../../schemas/agent/trace.ts";
import type { AgentTool, ToolShelf } from "../loop/parts.ts";
import { indexOf, isOpenAtStart, openedBy, SEARCH_TOOL } from "./search_tool.ts";
import type { SearchedTool, ToolIndex } from "./tool_index.ts";

/** The tools of a run, of which requests have only the open ones. What is open follows from the calls alone. */
export class SearchedShelf implements ToolShelf {
  /** All tools, in the order in which they are offered. */
  readonly all: readonly AgentTool[];
  readonly #index: ToolIndex<SearchedTool>;
  readonly #names = new Set<string>();
  #open: readonly AgentTool[] | null = null;

  /** @param tools All tools; open are the search, and what ends the run */
  constructor(tools: readonly AgentTool[]) {
    this.all = tools;
    this.#index = indexOf(tools);
    for (const tool of tools) if (isOpenAtStart(tool)) this.#names.add(tool.name);
  }

  /** The tools of the next request, in the order in which they are offered. The same list as long as none is opened. */
  get open(): readonly AgentTool[] {
    return this.#open ??= this.all.filter(({ name }) => this.#names.has(name));
  }

  /** Takes note of a call: a search opens what it finds, and a tool that is called is open. */
  note(fullName: string, input: unknown): void {
    const called = this.all.find(({ full_name }) => full_name === fullName);
    const found = fullName === SEARCH_TOOL.fullName ? openedBy(input, this.#index) : [];
    const names = called === undefined ? found : [called.name, ...found];
    if (names.every((name) => this.#names.has(name))) return;
    for (const name of names) this.#names.add(name);
    this.#open = null;
  }
}

/**
 * Makes the shelf of a run that has a search among its tools; `null` if requests have all tools.
 *
 * @param earlier What earlier runs of the session left: what they opened is open
 */
export function makeShelf(tools: readonly AgentTool[], earlier: readonly TraceLine[]): ToolShelf | null {
  if (!tools.some(({ full_name }) => full_name === SEARCH_TOOL.fullName)) return null;
  const shelf = new SearchedShelf(tools);
  for (const line of earlier) if (line.t === "call") shelf.note(line.tool, line.arguments);
  return shelf;
}
