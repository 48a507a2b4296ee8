import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Page } from "../cache/page.ts";
import type { PageCache } from "../cache/page_cache.ts";
import { fetchPage } from "../fetch/fetch_page.ts";
import { pageAddress, webUrl } from "../fetch/web_url.ts";
import { fetchRobotRules } from "./robots.ts";

/** How a crawl goes. */
export interface CrawlOptions {
  /** Longest time of one page, in milliseconds; waiting for its turn is not counted. */
  pageMs: number;
  /** Pages that were read before. */
  cache: PageCache;
  /** Pages of the cache are not taken, but it gets the new ones. */
  anew: boolean;
  context: ToolContext;
}

/** A page of a crawl, or why there is none. */
export interface Crawled {
  url: string;
  page: Page | null;
  error: ToolError | null;
  /** Time that its fetch took, in milliseconds. */
  ms: number;
}

/** Sites that are asked at once. */
const SITES_AT_ONCE = 5;
/** Least time between an answer of a site and the next request, in milliseconds. */
const LEAST_PAUSE_MS = 1000;
/** Pages of the cache stay fresh for so long, in milliseconds. */
const FRESH_MS = 60 * 60_000;

/**
 * Fetches pages politely: as robots.txt allows, one request of a site at a time, with the pause that it asks for and at
 * least a second. A page that fails does not end the crawl. The order is that of the addresses.
 */
export async function crawlPages(urls: readonly string[], options: CrawlOptions): Promise<Crawled[]> {
  const done: Crawled[] = [];
  const sites = [...Map.groupBy(urls.entries(), ([, url]) => URL.parse(webUrl(url))?.origin ?? "").entries()];
  const work = async () => {
    for (let site = sites.shift(); site !== undefined; site = sites.shift()) {
      const [origin, pages] = site;
      for await (const [at, crawled] of crawlSite(origin, pages, options)) done[at] = crawled;
    }
  };
  await Promise.all(Array.from({ length: SITES_AT_ONCE }, work));
  return done;
}

async function* crawlSite(
  origin: string,
  pages: readonly (readonly [number, string])[],
  options: CrawlOptions,
): AsyncGenerator<[number, Crawled]> {
  const { context, cache, anew } = options;
  let rules: ReturnType<typeof fetchRobotRules> | null = null;
  let nextMs = 0;
  for (const [at, url] of pages) {
    const started = Date.now();
    try {
      const kept = anew ? null : await cache.find(pageAddress(url) ?? url, { maxAgeMs: FRESH_MS });
      if (kept !== null) {
        yield [at, { url, page: await kept.whole(), error: null, ms: Date.now() - started }];
        continue;
      }
      const { mayCrawl, delaySeconds, failure } = await (rules ??= fetchRobotRules(origin, context));
      if (!mayCrawl(webUrl(url))) throw refusedByRobots(url, { origin, failure });
      await pauseUntil(nextMs, { url, context });
      try {
        yield [at, await crawlOne(url, options)];
      } finally {
        // A slow site has its pause all the same.
        nextMs = Date.now() + Math.max(LEAST_PAUSE_MS, delaySeconds * 1000);
      }
    } catch (error) {
      if (!(error instanceof ToolError) || context.signal.aborted) throw error;
      yield [at, { url, page: null, error, ms: Date.now() - started }];
    }
  }
}

async function crawlOne(url: string, { pageMs, cache, anew, context }: CrawlOptions): Promise<Crawled> {
  const started = Date.now();
  const wanted = { maxAgeMs: anew ? -1 : FRESH_MS };
  const kept = await cache.findOrFetch(pageAddress(url) ?? url, wanted, async () => {
    let isPicture = false;
    const onPicture = () => void (isPicture = true);
    return { page: await fetchPage(url, { timeoutMs: pageMs, onPicture, context }), isPicture };
  });
  return { url, page: await kept.whole(), error: null, ms: Date.now() - started };
}

function refusedByRobots(
  url: string,
  { origin, failure }: { origin: string; failure: string | null },
): ToolError {
  const why = failure === null
    ? `robots.txt of ${origin} asks programs not to crawl ${url}`
    : `${url} was not crawled: robots.txt of ${origin}, which tells whether it may be, cannot be read: ${failure}`;
  return new ToolError("external_failure", why, {
    retryable: failure !== null,
    details: { url, reason: "robots" },
  });
}

/** Waits for a site's turn, if the call has the time for it. */
async function pauseUntil(
  time: number,
  { url, context: { signal, deadline } }: { url: string; context: ToolContext },
): Promise<void> {
  signal.throwIfAborted();
  const ms = time - Date.now();
  if (ms <= 0) return;
  if (time >= deadline) {
    throw new ToolError(
      "timeout",
      `The pause that the site of ${url} asks for is longer than the call may last`,
      {
        details: { url, pause_ms: ms },
      },
    );
  }
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
