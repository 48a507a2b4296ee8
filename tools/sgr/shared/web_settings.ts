import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";

/** The variables of the set's `search` section, as the document's own environment names them. */
export const SEARCH = {
  engine: "SGR__SEARCH__ENGINE",
  maxSearches: "SGR__SEARCH__MAX_SEARCHES",
  maxResults: "SGR__SEARCH__MAX_RESULTS",
  contentLimit: "SGR__SEARCH__CONTENT_LIMIT",
} as const;

/**
 * Reads a whole number of the settings.
 *
 * @throws {ToolError} `configuration` for what is none, or below the least one
 */
export function wholeNumber<T>(
  { settings }: Pick<ToolContext, "settings">,
  { variable, least, usual }: { variable: string; least: number; usual: T },
): number | T {
  const value = settings[variable]?.trim() ?? "";
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
