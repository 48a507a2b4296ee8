import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { searchWeb } from "../../engine/web/search/search_web.ts";

/** The engines, in the document's order. */
export const SEARCH_ORDER = ["google", "duckduckgo", "baidu", "bing"];
const PREVIEW_CHARS = 1000;

const result = z.object({
  position: z.int(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  source: z.string(),
  raw_content: z.string().nullable(),
});
/** What a search gives. */
export const searchOutput = z.object({
  query: z.string(),
  results: z.array(result),
  metadata: z.object({ total_results: z.int(), language: z.string(), country: z.string() }),
});

/** One of {@linkcode searchOutput}. */
export type SearchOutput = z.output<typeof searchOutput>;

const ALL_FAILED = "All search engines failed to return results after multiple retries.";

/** The document's words for a search that nobody answered. */
export async function searchInOrder(
  query: Parameters<typeof searchWeb>[0],
  context: ToolContext,
): ReturnType<typeof searchWeb> {
  try {
    return await searchWeb(query, { engines: SEARCH_ORDER, onEmpty: "next", context });
  } catch (error) {
    if (!(error instanceof ToolError) || context.signal.aborted || error.code === "configuration") {
      throw error;
    }
    throw new ToolError(error.code, `${ALL_FAILED} ${error.message}`, {
      retryable: error.retryable,
      details: error.details,
      cause: error,
    });
  }
}

/** Shows results as the document does. */
export function renderResults({ query, results, metadata }: SearchOutput): string {
  const lines = [`Search results for '${query}':`];
  for (const { position, title, url, description, raw_content } of results) {
    lines.push("", `${position}. ${title}`, `   URL: ${url}`);
    if (description.trim() !== "") lines.push(`   Description: ${description}`);
    if (raw_content) lines.push(`   Content: ${preview(raw_content)}`);
  }
  const { total_results, language, country } = metadata;
  lines.push(
    "",
    "Metadata:",
    `- Total results: ${total_results}`,
    `- Language: ${language}`,
    `- Country: ${country}`,
  );
  return lines.join("\n");
}

function preview(content: string): string {
  const start = [...content.slice(0, 2 * PREVIEW_CHARS)].slice(0, PREVIEW_CHARS).join("");
  return `${start.replace(/\n/g, " ").trim()}${content.length > start.length ? "..." : ""}`;
}
