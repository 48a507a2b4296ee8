import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";

/** The variables of the set's `search` section, as the document's own environment names them. */
export const SEARCH = {
  engine: "SGR__SEARCH__ENGINE",
  maxSearches: "SGR__SEARCH__MAX_SEARCHES",
  maxResults: "SGR__SEARCH__MAX_RESULTS",
  contentLimit: "SGR__SEARCH__CONTENT_LIMIT",
} as const;

/** The variables of single tools, which count before those of the section. */
export const OF_TOOL = {
  [SEARCH.engine]: "SGR__TOOLS__WEB_SEARCH_TOOL__ENGINE",
  [SEARCH.maxSearches]: "SGR__TOOLS__WEB_SEARCH_TOOL__MAX_SEARCHES",
  [SEARCH.maxResults]: "SGR__TOOLS__WEB_SEARCH_TOOL__MAX_RESULTS",
  [SEARCH.contentLimit]: "SGR__TOOLS__EXTRACT_PAGE_CONTENT_TOOL__CONTENT_LIMIT",
} as const;

/** Returns the variable that says a setting: that of the tool, where it is set. */
export function sayingVariable({ settings }: Pick<ToolContext, "settings">, variable: string): string {
  const own = (OF_TOOL as Readonly<Record<string, string>>)[variable];
  return own !== undefined && settings[own]?.trim() ? own : variable;
}

/**
 * Reads a whole number of the settings.
 *
 * @throws {ToolError} `configuration` for what is none, or below the least one
 */
export function wholeNumber<T>(
  told: Pick<ToolContext, "settings">,
  { variable: asked, least, usual }: { variable: string; least: number; usual: T },
): number | T {
  const variable = sayingVariable(told, asked);
  const value = told.settings[variable]?.trim() ?? "";
  if (value === "") return usual;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
    throw new ToolError(
      "configuration",
      `${variable} is "${value}": it must be a whole number from ${least}`,
      {
        details: { variable, value },
      },
    );
  }
  return Number(value);
}
