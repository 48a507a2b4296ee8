import { ToolError } from "../../../schemas/error.ts";
import { type SearchOptions, searchWeb } from "../../../tools/engine/web/search/search_web.ts";
import type { SearchQuery } from "../../../tools/engine/web/search/results/search.ts";
import { type FakeAnswer, fakeWeb, type Serve } from "./fake_web.ts";

export const ALL_KEYS = [
  "SERPER_KEY",
  "JINA_KEY",
  "TAVILY_API_KEY",
  "BRAVE_API_KEY",
  "PERPLEXITY_API_KEY",
  "SERPLY_API_KEY",
  "EXA_API_KEY",
];

export interface SearchScene extends Partial<SearchQuery> {
  engines: readonly string[];
  onEmpty?: NonNullable<SearchOptions["onEmpty"]>;
  keys?: readonly string[];
  settings?: Record<string, string>;
  signal?: AbortSignal;
  /** Time that the call has, in milliseconds. @default 30_000 */
  leftMs?: number;
}

/** Searches by some engines of a network that a function answers. */
export async function search(scene: SearchScene, answer: FakeAnswer | Serve) {
  const { engines, onEmpty, keys = ALL_KEYS, settings = {}, signal, leftMs = 30_000, ...query } = scene;
  const web = fakeWeb(typeof answer === "function" ? answer : () => answer);
  const warnings: string[] = [];
  const context = {
    web,
    keys,
    settings,
    signal: signal ?? new AbortController().signal,
    deadline: Date.now() + leftMs,
    warn: (message: string) => void warnings.push(message),
  };
  try {
    const options = { engines, ...(onEmpty && { onEmpty }), context };
    const { engine, hits } = await searchWeb({ text: "tea kettle", count: 10, ...query }, options);
    return { engine: engine.name, hits, error: null, warnings, web };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { engine: null, hits: [], error, warnings, web };
  }
}
