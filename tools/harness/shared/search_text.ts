import { ToolError } from "../../../schemas/error.ts";

/** Results that a search asks for: a page of them. */
export const RESULTS = 10;

/** A result as the document words it. */
export interface WordedResult {
  /** The line after the number. */
  first: string;
  /** Lines of their own; an absent one is left out. */
  facts: Readonly<Record<string, string | number | undefined>>;
  snippet: string;
}

/** Returns the trimmed words of a search, and refuses none. */
export function wantedText(query: string): string {
  const text = query.trim();
  if (text === "") throw new ToolError("invalid_input", "'query' must be a non-empty string.");
  return text;
}

/** The document's words for a search that found nothing. */
export function nothingFound(query: string): string {
  return `No results found for '${query}'. Try with a more general query.`;
}

/** The document's form of results. */
export function searchText(
  { lead, query, heading }: { lead: string; query: string; heading: string },
  results: readonly WordedResult[],
): string {
  const entries = results.map(({ first, facts, snippet }, at) => {
    const lines = Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`]
    );
    return [`${at + 1}. ${first}`, ...lines, ...(snippet === "" ? [] : ["", snippet])].join("\n");
  });
  return `${lead} for '${query}' found ${results.length} results:\n\n## ${heading}\n${entries.join("\n\n")}`;
}
