import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { countCharacters } from "../engine/file/characters.ts";
import { countOf } from "../engine/summary.ts";
import { takeChars } from "../engine/web/fetch/clean_text.ts";
import { fetchPage } from "../engine/web/fetch/fetch_page.ts";
import { extractByTavily, type Extracted } from "../engine/web/fetch/tavily_pages.ts";
import { netTargets, webUrl } from "../engine/web/fetch/web_url.ts";
import { mayRead, serviceTargets } from "../engine/web/service/ask_service.ts";
import { addressesOf, keysOf, tavily } from "../engine/web/service/services.ts";
import { canonicalUrl } from "../engine/web/sources/canonical_url.ts";
import { type Source, SourceBook, SOURCES } from "../engine/web/sources/source_book.ts";
import { OF_TOOL, SEARCH, wholeNumber } from "./shared/web_settings.ts";

const MOST_URLS = 5;
const DEFAULT_LIMIT = 3500;
const SERVICE_MS = 30_000;

const input = z.object({
  reasoning: z.string().describe("Why these pages are read."),
  urls: z.array(z.string()).min(1).max(MOST_URLS).describe("URLs of 1 to 5 pages."),
  start: z.int().min(0).default(0).describe("Character to begin with, from 0, to read on in a page."),
});

const extracted = z.object({
  url: z.string(),
  number: z.int().nullable(),
  title: z.string(),
  content: z.string(),
  start: z.int(),
  total_chars: z.int(),
  next_start: z.int().nullable(),
  error: z.string().nullable(),
});
const output = z.object({ pages: z.array(extracted) });

type Output = z.output<typeof output>;

export default defineTool({
  name: "extract_page_content_tool",
  description:
    "Read pages of the web in full, mostly such as an earlier search found; each keeps its number [n] for citations. The " +
    "text is cut; start reads on, which fetches nothing again. Pages may speak of another year than the question: check that " +
    "the time fits, and prefer a search snippet where the two disagree about a fact.",
  input,
  output,
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  keepsSources: SOURCES,
  cutsLong: true,
  outside: true,
  settings: [SEARCH.contentLimit, OF_TOOL[SEARCH.contentLimit], ...addressesOf([tavily])],
  secrets: keysOf([tavily]),
  examples: [
    {
      line: "reasoning='read it' urls='[\"https://example.com\"]' --session kettles",
      meaning: "Read a source of the session",
    },
  ],
  limits: { timeoutMs: 120_000 },
  targets: ({ urls }, told) => [
    ...netTargets(urls),
    ...urls.some((url) => mayRead(tavily, webUrl(url), told))
      ? serviceTargets([tavily], told, { ifNeeded: true })
      : [],
  ],
  async run({ urls, start }, context): Promise<Output> {
    const limit = wholeNumber(context, { variable: SEARCH.contentLimit, least: 1, usual: DEFAULT_LIMIT });
    const { session } = context;
    const asked = [...new Map(urls.map((url) => [canonicalUrl(webUrl(url)), webUrl(url)])).values()];
    const failures = await readMissing(asked, context);
    const book = await SourceBook.open(session);
    const pages: Output["pages"] = [];
    for (const url of asked) {
      pages.push(await partOf(book, { url, start, limit, error: failures.get(url) ?? null }));
    }
    const all = pages.map(({ error }) => error).filter((error) => error !== null);
    if (pages.every(({ total_chars }) => total_chars === 0) && failures.size > 0) {
      throw [...failures.values()][0];
    }
    for (const error of all) context.warn(error);
    return { pages };
  },
  summary: ({ pages }) => countOf(pages.length, "page", "pages"),
  text: ({ pages }) => `Extracted Page Content:\n\n${pages.map(textOf).join("")}`,
  errorText: ({ message }) => `Error: ${message}`,
});

/**
 * Reads the pages of which the book has no text, and enters them. Nothing is fetched to read on, and a page that another
 * call is reading is waited for.
 *
 * @returns What failed, by address
 */
async function readMissing(urls: readonly string[], context: ToolContext): Promise<Map<string, ToolError>> {
  const { session } = context;
  const missing = async () => {
    const book = await SourceBook.open(session);
    return urls.filter((url) => (book.find(url)?.charCount ?? 0) === 0);
  };
  const failures = new Map<string, ToolError>();
  const names = (await missing()).map((url) => `read:${canonicalUrl(url)}`);
  await aloneWithAll(names, session, async () => {
    const read = await readPages(await missing(), failures, context);
    if (read.size === 0) return;
    await SourceBook.change(session, async (book) => {
      for (const [url, { title, text }] of read) {
        const source = book.add({ url, title: title || titleOf(url), snippet: "" });
        await book.keepContent(source, text);
      }
    });
  });
  return failures;
}

/** Holds several names, in the one order that all calls keep to. */
function aloneWithAll(
  names: readonly string[],
  session: ToolContext["session"],
  work: () => Promise<void>,
): Promise<void> {
  return names.toSorted().reduceRight((inner, name) => () => session.alone(name, inner), work)();
}

/** Reads pages by the service, and here what it cannot read; in the order of the addresses. */
async function readPages(
  urls: readonly string[],
  failures: Map<string, ToolError>,
  context: ToolContext,
): Promise<Map<string, Extracted>> {
  if (urls.length === 0) return new Map();
  const read = await readByService(urls, context);
  await Promise.all(
    urls.filter((url) => !read.has(url)).map(async (url) => {
      try {
        const page = await fetchPage(url, { context });
        read.set(url, { title: page.title, text: page.text });
      } catch (error) {
        if (!(error instanceof ToolError) || context.signal.aborted) throw error;
        failures.set(url, error);
      }
    }),
  );
  return new Map(urls.flatMap((url) => {
    const page = read.get(url);
    return page === undefined ? [] : [[url, page]];
  }));
}

/** What the service cannot read is fetched here. */
async function readByService(urls: readonly string[], context: ToolContext): Promise<Map<string, Extracted>> {
  const told = urls.filter((url) => mayRead(tavily, url, context));
  if (told.length === 0) return new Map();
  try {
    return await extractByTavily(told, { timeoutMs: SERVICE_MS, context });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "unauthenticated" || context.signal.aborted) {
      throw error;
    }
    context.warn(`${error.message}; the pages were fetched without it`);
    return new Map();
  }
}

async function partOf(
  book: SourceBook,
  { url, start, limit, error }: { url: string; start: number; limit: number; error: ToolError | null },
): Promise<Output["pages"][number]> {
  const source = book.find(url);
  const content = source === null ? "" : await book.content(source);
  const total = countCharacters(content);
  const from = Math.min(start, total);
  const { text, next } = takeChars(content, { start: from, count: limit });
  return {
    url: source?.url ?? url,
    number: source?.number ?? null,
    title: titleFor(source, url),
    content: text,
    start: from,
    total_chars: total,
    next_start: next < total ? next : null,
    error: error?.message ?? null,
  };
}

function titleFor(source: Source | null, url: string): string {
  return source?.title || titleOf(url);
}

/** The document's title of a page without one: the last part of its path. */
function titleOf(url: string): string {
  const part = URL.parse(url)?.pathname.split("/").filter((part) => part !== "").at(-1);
  try {
    return decodeURIComponent(part ?? "") || "Extracted Content";
  } catch {
    return part ?? "Extracted Content";
  }
}

function textOf(
  { url, number, title, content, start, total_chars, next_start, error }: Output["pages"][number],
): string {
  const head = `${number === null ? "" : `[${number}] `}${title} - ${url}\n`;
  if (total_chars === 0) {
    return `${head}*Failed to extract content*${error === null ? "" : ` (${error})`}\n\n`;
  }
  const shown = start === 0 && next_start === null
    ? `Content length: ${total_chars} characters`
    : `Content length: characters ${start} to ${start + countCharacters(content)} of ${total_chars}` +
      (next_start === null ? "" : `; read on with start=${next_start}`);
  return `${head}\n**Full Content:**\n${content}\n\n*[${shown}]*\n\n---\n\n`;
}
