import type { WebAnswer } from "../../../../../schemas/context.ts";
import { google as service } from "../../service/services.ts";
import type { PageElement } from "../../page/dom/node.ts";
import { languageOf, pathOf } from "../apis/results.ts";
import { webAddress } from "../results/plain_text.ts";
import type { SearchEngine, SearchHit } from "../results/search.ts";
import { hasClass, judgeResults, lineOf, onlyFirst, textOf, withClass } from "./read_results.ts";

const SIGNS = {
  blocked:
    /\/sorry\/|consent\.google\.|unusual traffic|\/httpservice\/retry\/enablejs|id=["']captcha-form["']/i,
  empty:
    /did not match any (?:documents|results)|No results found for|>Your search - |keine (?:mit deiner Suchanfrage|Dokumente)/i,
};
/** Today's page needs scripts; the one for old phones does not. */
const PHONE =
  "Nokia5250/10.0.011 (SymbianOS/9.4; U; Series60/5.0 Mozilla/5.0; Profile/MIDP-2.1 Configuration/CLDC-1.1)";
/** Statuses by which the engine leads to its question whether a person is there. */
const ASIDE: ReadonlySet<number> = new Set([301, 302, 303, 307]);

/** Google's page of results for old phones. */
export const googleEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask: ({ text, count, skip = 0, language, country }) => ({
    path: pathOf("/wml/search", {
      q: text,
      hl: language ?? "en",
      lr: language === undefined ? undefined : `lang_${languageOf(language)}`,
      gl: country,
      num: count > 10 ? count : undefined,
      start: skip > 0 ? skip : undefined,
      ie: "utf8",
      oe: "utf8",
      sca_esv: 1,
    }),
    headers: { "user-agent": PHONE, accept: "*/*", cookie: "CONSENT=YES+" },
  }),
  readsErrors: true,
  async read(answer, { count }) {
    const text = `${answer.headers.location ?? ""}\n${textOf(answer)}`;
    const { parsePage } = await import("../../page/dom/parse_page.ts");
    const page = parsePage(textOf(answer), answer.url);
    const hits = FORMS.map((read) => onlyFirst(read(page.querySelectorAll("div"), answer)))
      .find((found) => found.length > 0) ?? [];
    const seen = ASIDE.has(answer.status) ? { ...answer, status: 429 } : answer;
    return judgeResults(service, { answer: seen, text, hits, signs: SIGNS }).slice(0, count);
  },
};

type Read = (divs: readonly PageElement[], answer: WebAnswer) => SearchHit[];

/** The page has had several forms, and which one comes depends on the browser. */
const FORMS: readonly Read[] = [
  (divs, answer) =>
    divs.filter((div) => hasClass(div, "zMzFAb") || hasClass(div, "ezO2md")).flatMap((div) => {
      const link = div.querySelectorAll("a").find((element) => targetOf(element, answer) !== null);
      const url = link === undefined ? null : targetOf(link, answer);
      const title = withClass(div, "span", "CVA68e")[0] ?? link;
      return url === null
        ? []
        : [{ title: lineOf(title), url, snippet: lineOf(withClass(div, "span", "FrIlee")[0]) }];
    }),
  (divs, answer) =>
    divs.filter((div) => div.hasAttribute("data-hveid") || hasClass(div, "g")).flatMap((div) => {
      const [heading] = div.querySelectorAll("h3");
      const link = heading === undefined
        ? undefined
        : div.querySelectorAll("a").find((element) => element.querySelectorAll("h3").length > 0) ??
          div.querySelectorAll("a")[0];
      const url = link === undefined ? null : targetOf(link, answer);
      if (url === null) return [];
      const snippet = withClass(div, "div,span", "VwiC3b")[0] ?? withClass(div, "span,div", "st")[0];
      return [{ title: lineOf(heading), url, snippet: lineOf(snippet) }];
    }),
];

/** Links lead through a counter; the engine's own are no results. */
function targetOf(link: PageElement, { url }: WebAnswer): string | null {
  const href = URL.parse(link.getAttribute("href") ?? "", url);
  if (href === null) return null;
  if (href.pathname === "/url") return webAddress(href.searchParams.get("q") ?? href.searchParams.get("url"));
  return href.host === URL.parse(url)?.host ? null : webAddress(href.href);
}
