import type { WebAnswer } from "../../../../../schemas/context.ts";
import { bing as service } from "../../service/services.ts";
import type { PageElement } from "../../page/dom/node.ts";
import { languageOf, pathOf } from "../apis/results.ts";
import { webAddress } from "../results/plain_text.ts";
import type { SearchEngine, SearchHit, SearchQuery } from "../results/search.ts";
import { BROWSER, hasClass, judgeResults, lineOf, onlyFirst, textOf, withClass } from "./read_results.ts";

const SIGNS = {
  blocked: /\/turing\/captcha|id=["']b_captcha["']|One last step|challenges\.cloudflare\.com\/turnstile/i,
  empty: /class=["'][^"']*\bb_no\b/i,
};

/** Bing's page of results. */
export const bingEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask: (query) => ({
    path: pathOf("/search", {
      q: query.text,
      mkt: marketOf(query),
      adlt: "off",
      first: query.skip ? query.skip + 1 : undefined,
    }),
    headers: {
      ...BROWSER,
      "accept-language": `${marketOf(query)},${languageOf(query.language) ?? "en"};q=0.9`,
    },
  }),
  readsErrors: true,
  async read(answer, { count }) {
    const text = textOf(answer);
    const { parsePage } = await import("../../page/dom/parse_page.ts");
    const hits = withClass(parsePage(text, answer.url), "li", "b_algo").flatMap((result) =>
      hitOf(result, answer)
    );
    return judgeResults(service, { answer, text, hits: onlyFirst(hits), signs: SIGNS }).slice(0, count);
  },
};

function marketOf({ language, country }: SearchQuery): string {
  const tongue = languageOf(language) ?? "en";
  return `${tongue}-${country?.toUpperCase() ?? (tongue === "en" ? "US" : tongue.toUpperCase())}`;
}

function hitOf(result: PageElement, answer: WebAnswer): SearchHit[] {
  const link = result.querySelectorAll("h2")[0]?.querySelectorAll("a")[0];
  const url = targetOf(link?.getAttribute("href"), answer);
  if (url === null) return [];
  for (const icon of withClass(result, "span", "algoSlug_icon")) icon.remove();
  const snippet = result.querySelectorAll("p")[0] ??
    result.querySelectorAll("div").find((element) => hasClass(element, "b_caption"));
  return [{ title: lineOf(link), url, snippet: lineOf(snippet) }];
}

/** Links lead through a counter, which has the address as base64. */
function targetOf(href: string | null | undefined, { url }: WebAnswer): string | null {
  const link = href ? URL.parse(href, url) : null;
  if (link === null || link.pathname.startsWith("/aclick")) return null;
  if (!link.pathname.startsWith("/ck/a")) return webAddress(link.href);
  const packed = link.searchParams.get("u")?.replace(/^a1/, "").replaceAll("-", "+").replaceAll("_", "/") ??
    "";
  try {
    return webAddress(
      new TextDecoder().decode(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))),
      url,
    );
  } catch {
    return null;
  }
}
