import { ToolError } from "../../../schemas/error.ts";

const PART = /^(\d+)(?:\s*-\s*(\d+)?)?$/;

/** First and last page, from 1, both included; `Infinity` stands for the last page of the document. */
export type PageRange = readonly [first: number, last: number];

/** Where a list of pages was given, for messages. */
export interface PageListSource {
  /** Name of the argument. */
  name: string;
  /** Its value. */
  list: string;
}

/**
 * Reads a list such as "1-3,7" or "10-" (to the end).
 *
 * @throws {ToolError} `invalid_input` for any other text
 */
export function parsePageRanges({ name, list }: PageListSource): PageRange[] {
  return list.split(",").map((part) => {
    const [, first, last] = PART.exec(part.trim()) ?? [];
    if (first === undefined) throw unreadable({ name, list }, part.trim());
    const isOpen = part.includes("-");
    const range = [Number(first), isOpen ? Number(last ?? Infinity) : Number(first)] as const;
    if (range[0] < 1) {
      throw new ToolError("invalid_input", `${name} ${quote(list)}: pages are counted from 1`);
    }
    if (range[1] < range[0]) {
      throw new ToolError(
        "invalid_input",
        `${name} ${quote(list)}: ${quote(part.trim())} ends before it starts`,
      );
    }
    return range;
  });
}

/**
 * Lists the pages of a document that a list names, from 1, ascending, each once.
 *
 * @param limit How many to list at most
 * @throws {ToolError} `invalid_input` for a text that is not a list, and for pages that the document does not
 * have
 */
export function selectPages(
  source: PageListSource,
  { pageCount, limit }: { pageCount: number; limit: number },
): number[] {
  const ranges = parsePageRanges(source).sort(([a], [b]) => a - b);
  for (const [first, last] of ranges) {
    const beyond = first > pageCount ? first : last > pageCount && last !== Infinity ? last : null;
    if (beyond !== null) throw outOfRange(source, beyond, pageCount);
  }
  const pages: number[] = [];
  for (const [first, last] of ranges) {
    const end = Math.min(last, pageCount);
    for (let page = Math.max(first, (pages.at(-1) ?? 0) + 1); page <= end; page++) {
      if (pages.length === limit) return pages;
      pages.push(page);
    }
  }
  return pages;
}

function unreadable({ name, list }: PageListSource, part: string): ToolError {
  const reason = part === "" ? "a part is empty" : `${quote(part)} is no page or range`;
  return new ToolError("invalid_input", `${name} ${quote(list)}: ${reason}; write it like "1-3,7"`);
}

function outOfRange({ name, list }: PageListSource, page: number, pageCount: number): ToolError {
  const has = pageCount === 1 ? "1 page" : `${pageCount} pages`;
  return new ToolError(
    "invalid_input",
    `${name} ${quote(list)}: page ${page} is out of range, the PDF has ${has}`,
    {
      details: { page, page_count: pageCount },
    },
  );
}

function quote(text: string): string {
  return JSON.stringify(text);
}
