import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import { fetchPage } from "../engine/web/fetch/fetch_page.ts";
import type { SearchHit } from "../engine/web/search/results/search.ts";
import { SEARCH_KEYS, SEARCH_SETTINGS, searchTargets } from "../engine/web/search/search_web.ts";
import {
  renderResults,
  SEARCH_ORDER,
  searchInOrder,
  type SearchOutput,
  searchOutput,
} from "./shared/search_results.ts";

const MOST = 50;
/** Pages that are fetched at once. */
const AT_ONCE = 5;
const PAGE_MS = 10_000;
/** Most characters of a page that the result has. */
const CONTENT_CHARS = 10_000;

const input = z.object({
  query: z.string().describe("The search query."),
  num_results: z.int().min(1).max(MOST).default(10).describe("The number of results to return."),
  lang: z.string().regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?$/).default("en").describe(
    "Language code of the results, such as en or zh-cn.",
  ),
  country: z.string().regex(/^[A-Za-z]{2}$/).default("us").describe(
    "Country code of the results, such as us or cn.",
  ),
  fetch_content: z.boolean().default(false).describe(
    "Also fetch the pages that were found, and return their text.",
  ),
});

export default defineTool({
  name: "web_search",
  description:
    "Search the web: Google, then DuckDuckGo, Baidu and Bing if one fails. Returns titles, URLs and descriptions, and with " +
    "fetch_content the text of the pages.",
  seeAlso: ["Read pages whole with {crawl4ai}."],
  input,
  output: searchOutput,
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  outside: true,
  settings: SEARCH_SETTINGS,
  secrets: SEARCH_KEYS,
  examples: [
    { line: "'Teekessel' lang=de country=at num_results=3", meaning: "Search in a language and a country" },
  ],
  limits: { timeoutMs: 120_000 },
  targets: (_, told) => searchTargets({ engines: SEARCH_ORDER }, told),
  async run({ query, num_results, lang, country, fetch_content }, context): Promise<SearchOutput> {
    const text = query.trim();
    if (text === "") throw new ToolError("invalid_input", "query is empty: say what to search for");
    const asked = { text, count: num_results, language: lang.toLowerCase(), country: country.toLowerCase() };
    const { engine, hits } = await searchInOrder(asked, context);
    const found = hits.slice(0, num_results);
    const contents = fetch_content ? await fetchAll(found, context) : [];
    const results = found.map(({ title, url, snippet }, at) => ({
      position: at + 1,
      url,
      title: title || `Result ${at + 1}`,
      description: snippet,
      source: engine.name,
      raw_content: contents[at] ?? null,
    }));
    return { query: text, results, metadata: { total_results: results.length, language: lang, country } };
  },
  summary: ({ results }) => countOf(results.length, "result", "results"),
  text: renderResults,
  errorText: ({ message }) => `Error: ${message}`,
});

/** A page that cannot be read leaves its result without content. */
async function fetchAll(hits: readonly SearchHit[], context: ToolContext): Promise<(string | null)[]> {
  const contents: (string | null)[] = hits.map(() => null);
  const queue = [...hits.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, { url }] = next;
      try {
        const page = await fetchPage(url, { timeoutMs: PAGE_MS, context });
        contents[at] = page.text.slice(0, CONTENT_CHARS);
      } catch (error) {
        if (!(error instanceof ToolError) || context.signal.aborted) throw error;
        context.warn(`No content of ${url}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return contents;
}
