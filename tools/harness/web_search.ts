import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import { SEARCH_KEYS, SEARCH_SETTINGS, searchTargets, searchWeb } from "../engine/web/search/search_web.ts";
import { webErrorText } from "./shared/web_error_text.ts";
import { nothingFound, RESULTS, searchText, wantedText } from "./shared/search_text.ts";

const ENGINES = ["serper"];
const HAN = /[\u4e00-\u9fff]/;
const CHINA = { location: "China", country: "cn", language: "zh-cn" };
const AMERICA = { location: "United States", country: "us", language: "en" };
/** The engine says this about videos, whatever was asked. */
const VIDEO_NOTICE = /Your browser can't play this video\.?\s*/g;

const input = z.object({
  query: z.string().describe("One search query."),
});

const output = z.object({
  query: z.string(),
  engine: z.string(),
  results: z.array(z.object({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    date: z.string().optional(),
    source: z.string().optional(),
  })),
});

export default defineTool({
  name: "WebSearch",
  description:
    "Search the web with one query; make several calls in one turn for several queries. Returns titles, links and " +
    "snippets, with date and source where they are known.",
  seeAlso: ["Use {ScholarSearch} for papers.", "Read a page that was found with {WebFetch}."],
  input,
  output,
  promptHints: ["Search the web with {WebSearch}[, papers with {ScholarSearch}]."],
  needs: { net: "granted" },
  readOnly: true,
  parallel: true,
  outside: true,
  settings: SEARCH_SETTINGS,
  secrets: SEARCH_KEYS,
  examples: [
    { line: "'tea kettle without a whistle'", meaning: "Search the web" },
  ],
  limits: { timeoutMs: 60_000 },
  targets: (_, told) => searchTargets({ engines: ENGINES }, told),
  async run({ query }, context): Promise<z.output<typeof output>> {
    const text = wantedText(query);
    const place = HAN.test(text) ? CHINA : AMERICA;
    const { engine, hits } = await searchWeb({ text, count: RESULTS, ...place }, {
      engines: ENGINES,
      context,
    });
    const results = hits.map(({ paper: _paper, content: _content, ...hit }) => ({
      ...hit,
      snippet: hit.snippet.replace(VIDEO_NOTICE, ""),
    }));
    return { query: text, engine: engine.asks ?? engine.label, results };
  },
  summary: ({ results }) => countOf(results.length, "result", "results"),
  text: ({ query, engine, results }) =>
    results.length === 0 ? nothingFound(query) : searchText(
      { lead: `A ${engine} search`, query, heading: "Web Results" },
      results.map(({ title, url, snippet, date, source }) => ({
        first: `[${title || "Untitled result"}](${url})`,
        facts: { "Date published": date, Source: source },
        snippet,
      })),
    ),
  errorText: webErrorText("WebSearch"),
});
