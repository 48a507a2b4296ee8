import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import { SEARCH_KEYS, SEARCH_SETTINGS, searchTargets, searchWeb } from "../engine/web/search/search_web.ts";
import { bounded } from "./shared/bounded.ts";

const MOST = 20;
const ENGINES = ["duckduckgo_lite", "duckduckgo"];

const input = z.object({
  query: z.string().describe("What to search for."),
  max_results: z.int().default(5).describe(`Most results to return, from 1 to ${MOST}.`),
});

const output = z.object({
  query: z.string(),
  results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
  result_count: z.int(),
});

export default defineTool({
  name: "web_search",
  description: "Search the web with DuckDuckGo, without a key. Returns titles, URLs and snippets. " +
    'Example: {"query": "ocaml lwt tutorial", "max_results": 5}.',
  seeAlso: ["Read a page that was found with {read_webpage}."],
  input,
  output,
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  outside: true,
  settings: SEARCH_SETTINGS,
  secrets: SEARCH_KEYS,
  examples: [
    { line: "'ocaml lwt tutorial' max_results=3", meaning: "Search the web" },
  ],
  limits: { timeoutMs: 15_000 },
  targets: (_, told) => searchTargets({ engines: ENGINES }, told),
  async run({ query, max_results }, context): Promise<z.output<typeof output>> {
    const text = query.trim();
    if (text === "") throw new ToolError("invalid_input", "query is empty: say what to search for");
    const count = bounded("max_results", max_results, { least: 1, most: MOST, warn: context.warn });
    const { hits } = await searchWeb({ text, count }, { engines: ENGINES, context });
    const results = hits.slice(0, count).map(({ title, url, snippet }) => ({ title, url, snippet }));
    return { query, results, result_count: results.length };
  },
  summary: ({ result_count }) => countOf(result_count, "result", "results"),
});
