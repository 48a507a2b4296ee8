import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import { SEARCH_KEYS, SEARCH_SETTINGS, searchTargets, searchWeb } from "../engine/web/search/search_web.ts";
import { nothingFound, RESULTS, searchText, wantedText } from "./shared/search_text.ts";
import { webErrorText } from "./shared/web_error_text.ts";

const ENGINES = ["serper"];

const input = z.object({
  query: z.string().describe("One academic search query."),
});

const output = z.object({
  query: z.string(),
  engine: z.string(),
  results: z.array(z.object({
    title: z.string(),
    url: z.string(),
    pdf_url: z.string().optional(),
    publication_info: z.string().optional(),
    year: z.string().optional(),
    cited_by: z.int().optional(),
    snippet: z.string(),
  })),
});

export default defineTool({
  name: "ScholarSearch",
  description:
    "Search for papers with one query; make several calls in one turn for several queries. Returns titles, PDF links, " +
    "where they were published, years, how often they were cited, and abstracts.",
  seeAlso: ["Read a page or a PDF that was found with {WebFetch}."],
  input,
  output,
  needs: { net: "granted" },
  readOnly: true,
  parallel: true,
  outside: true,
  settings: SEARCH_SETTINGS,
  secrets: SEARCH_KEYS,
  examples: [
    { line: "'heat loss of kettles'", meaning: "Search for papers" },
  ],
  limits: { timeoutMs: 60_000 },
  targets: (_, told) => searchTargets({ kind: "scholar", engines: ENGINES }, told),
  async run({ query }, context): Promise<z.output<typeof output>> {
    const text = wantedText(query);
    const asked = { text, count: RESULTS, kind: "scholar" } as const;
    const { engine, hits } = await searchWeb(asked, { engines: ENGINES, context });
    return {
      query: text,
      engine: engine.asks ?? engine.label,
      results: hits.map((
        { title, url, snippet, paper: { pdfUrl, publicationInfo, year, citedBy } = {} },
      ) => ({
        title,
        url,
        ...(pdfUrl !== undefined && { pdf_url: pdfUrl }),
        ...(publicationInfo !== undefined && { publication_info: publicationInfo }),
        ...(year !== undefined && { year }),
        ...(citedBy !== undefined && { cited_by: citedBy }),
        snippet,
      })),
    };
  },
  summary: ({ results }) => countOf(results.length, "paper", "papers"),
  text: ({ query, engine, results }) =>
    results.length === 0 ? nothingFound(query) : searchText(
      {
        lead: `A ${engine} scholar search`.replace("Google scholar search", "Google scholar"),
        query,
        heading: "Scholar Results",
      },
      results.map(({ title, url, pdf_url, publication_info, year, cited_by, snippet }) => ({
        first: `[${title || "Untitled result"}](${
          pdf_url === undefined ? "no available link" : `pdfUrl: ${pdf_url}`
        })`,
        facts: {
          ...(pdf_url === undefined && url !== "" && { page: url }),
          publicationInfo: publication_info,
          "Date published": year,
          citedBy: cited_by,
        },
        snippet,
      })),
    ),
  errorText: webErrorText("ScholarSearch"),
});
