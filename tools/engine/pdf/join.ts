import { firstCharacters } from "../file/characters.ts";
import type { PdfReading } from "./reading.ts";
import type { PageScan } from "./scan.ts";

/** Pages read in one call; the next ones are for the next call. */
export const MAX_PAGES = 5_000;

/** Pages end as pdftotext ends them. */
const PAGE_END = "\n\f";

/** Says with which page the next call goes on. */
export function cappedNote(pages: readonly number[], pageCount: number): string {
  const last = pages.at(-1) ?? 0;
  return `One call reads ${MAX_PAGES} pages: go on with pages "${last + 1}-" (the PDF has ${pageCount})`;
}

/**
 * Joins the texts of pages within bounds; counts all lines.
 *
 * @param options.advice What to do about a page without text
 */
export function joinTexts(
  scans: readonly PageScan[],
  { maxChars, isCapped, advice }: { maxChars: number; isCapped: boolean; advice: string },
): Pick<PdfReading, "text" | "totalLines" | "truncated" | "pagesWithoutText"> {
  const parts: string[] = [];
  let chars = 0;
  let totalLines = scans.length;
  for (const { page, state, text, chars: found, lineEnds } of scans) {
    const shown = state === "text"
      ? text
      : `[Page ${page} ${state === "empty" ? "has no text layer" : "is damaged"}${advice}]`;
    if (chars < maxChars) parts.push(shown);
    chars += (state === "text" ? found : shown.length) + PAGE_END.length;
    totalLines += lineEnds;
  }
  return {
    text: firstCharacters(parts.join(PAGE_END), maxChars),
    totalLines,
    truncated: chars - PAGE_END.length > maxChars || isCapped,
    pagesWithoutText: scans.filter(({ state }) => state !== "text").map(({ page }) => page),
  };
}
