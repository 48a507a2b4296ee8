import { Buffer } from "node:buffer";

import { ToolError } from "../../../../schemas/error.ts";

/** Most pages of a document; a file that claims more is an attack. */
export const MAX_PAGE_COUNT = 100_000;

const NAME = "/Count";
/** How far around a count the other entries of its dictionary are looked for, in bytes. */
const AROUND = 128;
const MAX_TRIES = 10_000;
const OF_PAGES = /\/Pages\b|\/Kids\b/;
/** The end of a list of pages. */
const REFERENCES = /\d R\s*\]\s*$/;

/**
 * Refuses a PDF that claims too many pages before it is opened: a file of so many small objects takes long to
 * open. It sees only counts that are not compressed; opening shows the others.
 *
 * @throws {ToolError} `limit_exceeded` for more than 100,000 pages
 */
export function boundClaimedPages(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = file.indexOf(NAME);
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++, at = file.indexOf(NAME, at + NAME.length)) {
    const end = at + NAME.length;
    const after = file.toString("latin1", end, end + AROUND);
    const count = Number(/^\s*(\d{1,15})\b/.exec(after)?.[1] ?? 0);
    if (count <= MAX_PAGE_COUNT) continue;
    const before = file.toString("latin1", Math.max(0, at - AROUND), at);
    if (OF_PAGES.test(before + after) || REFERENCES.test(before)) throw tooManyPages(count);
  }
}

/** Returns the failure for a PDF of too many pages. */
export function tooManyPages(count: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `The PDF claims ${count} pages, more than ${MAX_PAGE_COUNT}: split it first, with qpdf in Bash`,
    { details: { page_count: count, max_page_count: MAX_PAGE_COUNT } },
  );
}
