import type { WebAnswer } from "../../../../../schemas/context.ts";
import { duckduckgo, duckduckgoLite, type Service } from "../../service/services.ts";
import { languageOf } from "../apis/results.ts";
import { webAddress } from "../results/plain_text.ts";
import type { SearchEngine, SearchHit, SearchQuery } from "../results/search.ts";
import {
  BROWSER,
  hasClass,
  isInside,
  judgeResults,
  lineOf,
  onlyFirst,
  textOf,
  withClass,
} from "./read_results.ts";

/** The engine refuses longer questions. */
const MAX_CHARS = 499;

const SIGNS = {
  blocked: /anomaly-modal|anomaly\.js|id=["']challenge-form["']|bots use DuckDuckGo too/i,
  empty:
    /class=["'][^"']*\bno-results\b|result--no-result|No results found for|>\s*No (?:more )?results\.?\s*</i,
};

/** DuckDuckGo's page of results for browsers without scripts. */
export const duckduckgoEngine: SearchEngine = {
  service: duckduckgo,
  kinds: ["web"],
  ask: (query) => requestOf(duckduckgo, { path: "/html/", query, form: { b: "" } }),
  readsErrors: true,
  async read(answer, { count, skip = 0 }) {
    if (answer.status === 303) return [];
    const text = textOf(answer);
    const { parsePage } = await import("../../page/dom/parse_page.ts");
    const results = withClass(parsePage(text, answer.url), "div", "result")
      .filter((result) => !hasClass(result, "result--ad"));
    const hits = results.flatMap((result): SearchHit[] => {
      const [link] = withClass(result, "a", "result__a");
      const url = targetOf(link?.getAttribute("href"), answer);
      if (url === null) return [];
      return [{
        title: lineOf(link),
        url,
        snippet: lineOf(withClass(result, "a,div", "result__snippet")[0]),
      }];
    });
    return judgeResults(duckduckgo, { answer, text, hits: onlyFirst(hits), signs: SIGNS }).slice(
      skip,
      skip + count,
    );
  },
};

/** DuckDuckGo's smallest page of results. */
export const duckduckgoLiteEngine: SearchEngine = {
  service: duckduckgoLite,
  kinds: ["web"],
  ask: (query) => requestOf(duckduckgoLite, { path: "/lite/", query, form: {} }),
  readsErrors: true,
  async read(answer, { count, skip = 0 }) {
    const text = textOf(answer);
    const { parsePage } = await import("../../page/dom/parse_page.ts");
    const hits: SearchHit[] = [];
    let isOpen = false;
    // A snippet may be missing: it belongs to the link before it.
    for (const element of parsePage(text, answer.url).querySelectorAll("a,td")) {
      const isLink = element.localName === "a" && hasClass(element, "result-link");
      if (!isLink && !hasClass(element, "result-snippet")) continue;
      const isAd = isInside(element, (outer) => hasClass(outer, "result-sponsored"));
      if (isLink) {
        const url = isAd ? null : targetOf(element.getAttribute("href"), answer);
        isOpen = url !== null;
        if (url !== null) hits.push({ title: lineOf(element), url, snippet: "" });
      } else if (isOpen && !isAd) {
        hits.at(-1)!.snippet = lineOf(element);
        isOpen = false;
      }
    }
    return judgeResults(duckduckgoLite, { answer, text, hits: onlyFirst(hits), signs: SIGNS }).slice(
      skip,
      skip + count,
    );
  },
};

function requestOf(
  { url }: Service,
  { path, query, form }: { path: string; query: SearchQuery; form: Record<string, string> },
): ReturnType<SearchEngine["ask"]> {
  return {
    path,
    form: { q: query.text.slice(0, MAX_CHARS), ...form, kl: regionOf(query) },
    headers: {
      ...BROWSER,
      referer: `${url}/`,
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": "same-origin",
    },
  };
}

function regionOf({ country, language }: SearchQuery): string {
  const tongue = languageOf(language);
  return country === undefined || tongue === undefined ? "wt-wt" : `${country.toLowerCase()}-${tongue}`;
}

/** Links lead through a counter, advertisements through another. */
function targetOf(href: string | null | undefined, { url }: WebAnswer): string | null {
  const link = href ? URL.parse(href, url) : null;
  if (link === null || link.pathname === "/y.js") return null;
  const target = link.pathname === "/l/" ? link.searchParams.get("uddg") : null;
  const found = webAddress(target ?? link.href);
  return found !== null && URL.parse(found)?.pathname === "/y.js" ? null : found;
}
