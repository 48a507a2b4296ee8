import type { ToolContext } from "../../../schemas/context.ts";
import type { SearchOutcome } from "./collate_matches.ts";

const MOST_NAMED = 3;

/** Says which files are not UTF-8: those with matches by their encodings, and those that could not be read whole. */
export function warnAboutEncodings(
  { encodings, matches }: Pick<SearchOutcome, "encodings" | "matches">,
  nameOf: (below: string) => string,
  context: Pick<ToolContext, "warn">,
): void {
  const matching = new Set(matches.map(({ below }) => below));
  const own = [...encodings].filter(([below, encoding]) => encoding !== null && matching.has(below));
  const unsure = [...encodings].filter(([, encoding]) => encoding === null);
  const listed = (files: typeof own) =>
    files.slice(0, MOST_NAMED).map(([below, encoding]) =>
      `"${nameOf(below)}"${encoding === null ? "" : ` (${encoding})`}`
    )
      .join(", ") + (files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : "");
  if (own.length > 0) context.warn(`Not UTF-8, and searched in the encoding of each: ${listed(own)}`);
  if (unsure.length === 0) return;
  context.warn(
    `Not UTF-8, and of no encoding that is sure: ${
      listed(unsure)
    }. Their bytes beyond ASCII are shown as U+FFFD, and ` +
      "are found by no pattern",
  );
}
