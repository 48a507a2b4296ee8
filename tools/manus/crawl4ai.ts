import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { PageCache } from "../engine/web/cache/page_cache.ts";
import { type Crawled, crawlPages } from "../engine/web/crawl/crawl.ts";
import { netTargets, pageAddress } from "../engine/web/fetch/web_url.ts";
import { countWords, dropShortBlocks } from "../engine/web/fetch/blocks.ts";

const MOST_URLS = 50;

const input = z.object({
  urls: z.array(z.string()).max(MOST_URLS).optional().describe("URLs of the pages to crawl, 1 to 50."),
  url: z.string().optional().describe("URL of one page, instead of urls."),
  timeout: z.int().min(5).max(120).default(30).describe("Timeout of each page in seconds."),
  bypass_cache: z.boolean().default(false).describe(
    "Fetch pages again that this session has already fetched.",
  ),
  word_count_threshold: z.int().min(1).default(10).describe("Leave out paragraphs with fewer words."),
});

const crawled = z.object({
  url: z.string(),
  success: z.boolean(),
  status_code: z.int().nullable(),
  title: z.string().nullable(),
  markdown: z.string().nullable(),
  word_count: z.int(),
  links_count: z.int(),
  images_count: z.int(),
  execution_time: z.number(),
  error_message: z.string().nullable(),
});
const output = z.object({ results: z.array(crawled) });

type CrawlRecord = z.output<typeof crawled>;

export default defineTool({
  name: "crawl4ai",
  description:
    "Crawl one or several pages of the web and return their content as clean Markdown. It keeps to robots.txt and to a " +
    "polite pace: one request of a site at a time, with a pause between. Pages of this session come from a cache.",
  input,
  output,
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  outside: true,
  examples: [
    { line: "url=https://example.com", meaning: "Crawl a page" },
  ],
  limits: { timeoutMs: 900_000 },
  targets: (input) => netTargets(urlsOf(input).valid),
  async run(input, context): Promise<z.output<typeof output>> {
    const { timeout, bypass_cache, word_count_threshold } = input;
    const { valid, wrong } = urlsOf(input);
    if (valid.length === 0) {
      throw new ToolError(
        "invalid_input",
        "No valid URLs provided: give urls that begin with http:// or https://",
      );
    }
    for (const url of wrong) context.warn(`"${url}" is no URL of the web and was left out`);
    const cache = new PageCache(context.session);
    const pages = await crawlPages(valid, { pageMs: timeout * 1000, cache, anew: bypass_cache, context });
    for (const { page } of pages) for (const note of page?.notes ?? []) context.warn(`${page?.url}: ${note}`);
    return { results: pages.map((page) => recordOf(page, word_count_threshold)) };
  },
  summary: ({ results }) => `${results.filter(({ success }) => success).length} of ${results.length} pages`,
  text: renderOutput,
  errorText: ({ message }) => `Error: ${message}`,
});

/** The URLs of a call, each once, and what is no URL of the web. */
function urlsOf({ url, urls = [] }: { url?: string | undefined; urls?: string[] | undefined }) {
  const asked = [...new Set([...urls, ...url === undefined ? [] : [url]])];
  const isValid = (one: string) => /^https?:\/\//.test(pageAddress(one) ?? "");
  return { valid: asked.filter(isValid), wrong: asked.filter((one) => !isValid(one)) };
}

function recordOf({ url, page, error, ms }: Crawled, threshold: number): CrawlRecord {
  const markdown = page === null ? null : dropShortBlocks(page.text, threshold);
  return {
    url,
    success: page !== null,
    status_code: page?.status ?? (typeof error?.details.status === "number" ? error.details.status : null),
    title: page?.title ?? null,
    markdown,
    word_count: markdown === null ? 0 : countWords(markdown),
    links_count: page?.links ?? 0,
    images_count: page?.images ?? 0,
    execution_time: Math.round(ms / 10) / 100,
    error_message: error?.message ?? null,
  };
}

function renderOutput({ results }: z.output<typeof output>): string {
  const good = results.filter(({ success }) => success).length;
  const head = [
    "🕷️ Crawl4AI Results Summary:",
    `📊 Total URLs: ${results.length}`,
    `✅ Successful: ${good}`,
    `❌ Failed: ${results.length - good}`,
    "",
  ];
  const parts = results.flatMap((result, at) => [`${at + 1}. ${result.url}`, ...linesOf(result), ""]);
  return [...head, ...parts].join("\n");
}

function linesOf(
  {
    success,
    status_code,
    title,
    markdown,
    word_count,
    links_count,
    images_count,
    execution_time,
    error_message,
  }: CrawlRecord,
): string[] {
  if (!success) return ["   ❌ Status: Failed", `   🚫 Error: ${error_message}`];
  return [
    `   ✅ Status: Success (HTTP ${status_code})`,
    `   📄 Title: ${title}`,
    `   📝 Content: ${markdown}`,
    `   📊 Stats: ${word_count} words, ${links_count} links, ${images_count} images`,
    `   ⏱️ Time: ${execution_time.toFixed(2)}s`,
  ];
}
