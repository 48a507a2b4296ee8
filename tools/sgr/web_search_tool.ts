import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool, type Told } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import {
  namesIn,
  SEARCH_KEYS,
  SEARCH_SETTINGS,
  searchTargets,
  searchWeb,
} from "../engine/web/search/search_web.ts";
import type { SearchHit } from "../engine/web/search/results/search.ts";
import { SourceBook, SOURCES } from "../engine/web/sources/source_book.ts";
import { OF_TOOL, sayingVariable, SEARCH, wholeNumber } from "./shared/web_settings.ts";

const ENGINES = ["tavily", "brave", "perplexity", "serply"];
const MOST_RESULTS = 20;
const DEFAULT_LIMIT = 10;
/** Longest snippet of the text; the structured result has the whole. */
const SNIPPET_CHARS = 100;

const input = z.object({
  reasoning: z.string().describe("Why this search is needed and what to expect."),
  query: z.string().describe("Search query, in the language of the user's request."),
  max_results: z.int().min(1).max(MOST_RESULTS).default(5).describe("Maximum number of results."),
  offset: z.int().min(0).default(0).describe("Results to skip, to see more of an earlier search."),
});

const citation = z.object({ number: z.int(), title: z.string(), url: z.string(), snippet: z.string() });
const output = z.object({ query: z.string(), engine: z.string(), citations: z.array(citation) });

const searches = z.array(z.object({
  query: z.string(),
  answer: z.null(),
  citations: z.array(z.int()),
  timestamp: z.string(),
}));

export default defineTool({
  name: "web_search_tool",
  description:
    "Search the web for current information, to verify facts, and for research. Returns titles, links and short snippets; " +
    "each source keeps its number [n] for citations. Be specific: give context to acronyms, put exact phrases into quotes, " +
    "name the year for dates and numbers. Snippets often hold the answer: check them first.",
  seeAlso: ["Read a promising page whole with {extract_page_content_tool}."],
  input,
  output,
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  stepPart: "search",
  keepsSources: SOURCES,
  cutsLong: true,
  outside: true,
  settings: [
    ...SEARCH_SETTINGS,
    ...[SEARCH.engine, SEARCH.maxSearches, SEARCH.maxResults].flatMap((name) => [name, OF_TOOL[name]]),
  ],
  secrets: SEARCH_KEYS,
  examples: [
    {
      line: "reasoning='find makers' query='tea kettle makers' --session kettles",
      meaning: "Search, and number the sources of a session",
    },
  ],
  limits: { timeoutMs: 60_000 },
  targets: (_, told) => searchTargets({ engines: enginesOf(told) }, told),
  async run({ query, max_results, offset }, context): Promise<z.output<typeof output>> {
    const text = query.trim();
    if (text === "") throw new ToolError("invalid_input", "query is empty: say what to search for");
    const { session } = context;
    refuseTooMany(await searchesOf(session), context);
    const limit = wholeNumber(context, { variable: SEARCH.maxResults, least: 1, usual: DEFAULT_LIMIT });
    const count = Math.min(max_results, limit);
    const { engine, hits } = await searchWeb({ text, count, skip: offset }, {
      engines: enginesOf(context),
      context,
    });
    const citations = await SourceBook.change(session, async (book) => {
      const done = await searchesOf(session);
      // Another process may have had the last one meanwhile.
      refuseTooMany(done, context);
      const cited = cite(book, hits.slice(0, count));
      const timestamp = new Date().toISOString();
      const search = { query: text, answer: null, citations: cited.map(({ number }) => number), timestamp };
      await session.set("searches", [...done, search]);
      return cited;
    });
    return { query: text, engine: engine.label, citations };
  },
  summary: ({ citations }) => countOf(citations.length, "source", "sources"),
  text: ({ query, citations }) =>
    [
      `Search Query: ${query}\n\n`,
      "Search Results (titles, links, short snippets):\n\n",
      ...citations.map(({ number, title, url, snippet }) =>
        `[${number}] ${title || url} - ${url}\n${short(snippet)}\n\n`
      ),
      ...citations.length === 0 ? ["No results found. Try a more general query.\n"] : [],
    ].join(""),
  errorText: ({ message }) => `Error: ${message}`,
});

async function searchesOf(session: ToolContext["session"]): Promise<z.output<typeof searches>> {
  return searches.parse(await session.get("searches") ?? []);
}

/** Enters what was found, each page once. */
function cite(book: SourceBook, hits: readonly SearchHit[]): z.output<typeof citation>[] {
  const citations: z.output<typeof citation>[] = [];
  for (const { url, title, snippet } of hits) {
    const { number, ...known } = book.add({ url, title, snippet });
    if (citations.some((other) => other.number === number)) continue;
    // The source keeps its first title and address; the snippet is what this search found.
    citations.push({ number, title: known.title, url: known.url, snippet: snippet || known.snippet });
  }
  return citations;
}

function short(snippet: string): string {
  return snippet.length <= SNIPPET_CHARS ? snippet : `${[...snippet].slice(0, SNIPPET_CHARS).join("")}...`;
}

/** The engine of the settings first; the others stand in if they can. */
function enginesOf({ settings }: Told): string[] {
  const variable = sayingVariable({ settings }, SEARCH.engine);
  const [named] = namesIn(settings[variable]);
  if (named === undefined) return ENGINES;
  if (!ENGINES.includes(named)) {
    throw new ToolError(
      "configuration",
      `${variable} is "${named}": it must be one of ${ENGINES.join(", ")}`,
      {
        details: { variable, value: named },
      },
    );
  }
  return [named, ...ENGINES.filter((name) => name !== named)];
}

function refuseTooMany({ length: done }: readonly unknown[], context: ToolContext): void {
  const most = wholeNumber(context, { variable: SEARCH.maxSearches, least: 0, usual: null });
  if (most === null || done < most) return;
  throw new ToolError(
    "limit_exceeded",
    `This session had its ${most} searches (${SEARCH.maxSearches}): work with the sources that there are`,
    { details: { searches: done, limit: most } },
  );
}
