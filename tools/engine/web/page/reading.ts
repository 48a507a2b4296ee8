import * as z from "zod";

import type { ToolContext } from "../../../../schemas/context.ts";

/** Request to the reader of pages, besides the bytes. */
export const pageRequest = z.object({
  /** Where the page came from, after redirects: relative links start there. */
  url: z.string().max(100_000),
  /** The header `Content-Type`, `""` if there was none. */
  contentType: z.string().max(1000),
  kind: z.enum(["html", "xml", "json", "text"]),
  /** Of an HTML page: the part that a reader wants, or all that it shows. */
  want: z.enum(["article", "page"]),
  /** Longest text, in UTF-16 units. */
  maxChars: z.int(),
});

/**
 * How the text was found. `article`: as an article; `main`: in a part that the page names as its content; `body`: as
 * all but what stands around it; `page`: as the whole page; `feed`: as the entries of a feed; `text`: as it came.
 */
export const pageWay = z.enum(["article", "main", "body", "page", "feed", "text"]);

const fact = z.string().max(1000).nullable();

/** What the reader of pages found. */
export const pageReading = z.object({
  way: pageWay,
  title: fact,
  author: fact,
  /** When it was published, as the page writes it. */
  date: fact,
  language: fact,
  site: fact,
  charset: z.string().max(100),
  /** Markdown if the page was HTML or a feed. */
  text: z.string(),
  /** Characters of the whole text, also of what was cut off. */
  totalChars: z.int(),
  /** What was left out or guessed. */
  notes: z.array(z.string().max(1000)).max(10),
});

/** One of {@linkcode pageRequest}. */
export type PageRequest = z.output<typeof pageRequest>;
/** One of {@linkcode pageReading}. */
export type PageReading = z.output<typeof pageReading>;
/** One of {@linkcode pageWay}. */
export type PageWay = z.output<typeof pageWay>;

/**
 * Reads a page in a room that holds nothing else.
 *
 * @param options `timeoutMs` is the longest time in milliseconds; 15 seconds of it are for the reading itself
 * @throws {ToolError} `timeout`; `limit_exceeded` if it needs too much memory
 */
export async function readPageApart(
  bytes: Uint8Array,
  request: PageRequest,
  { context, timeoutMs }: { context: Pick<ToolContext, "documents">; timeoutMs: number },
): Promise<PageReading> {
  // The reader may have read hostile bytes: its answer is not trusted.
  const given = pageReading.parse(await context.documents.read("page", bytes, { input: request, timeoutMs }));
  return { ...given, text: given.text.slice(0, request.maxChars) };
}
