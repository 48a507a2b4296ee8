import type { WebAnswer } from "../../../../../schemas/context.ts";
import { failed } from "../../service/ask_service.ts";
import { baidu as service } from "../../service/services.ts";
import { hitsOf, isFields, pathOf } from "../apis/results.ts";
import { webAddress } from "../results/plain_text.ts";
import type { SearchEngine, SearchHit } from "../results/search.ts";
import {
  blocked,
  BROWSER,
  hasClass,
  judgeResults,
  lineOf,
  onlyFirst,
  textOf,
  withClass,
} from "./read_results.ts";

const SIGNS = {
  blocked: /百度安全验证|网络不给力，请稍后重试|wappass\.baidu\.com/,
  empty: /抱歉[，,]?没有找到|没有找到与|class=["'][^"']*\bcontent_none\b/,
};

/** Baidu: it is asked for JSON, and may answer with its page. */
export const baiduEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask: ({ text, count, skip = 0 }) => ({
    path: pathOf("/s", { wd: text, rn: count, pn: skip, tn: "json", ie: "utf-8" }),
    headers: { ...BROWSER, "accept-language": "zh-CN,zh;q=0.9,en;q=0.5", referer: `${service.url}/` },
  }),
  readsErrors: true,
  async read(answer, { count }) {
    if (/\bwappass\.baidu\.com/.test(answer.headers.location ?? "")) throw blocked(service, answer.status);
    const text = textOf(answer);
    const hits = /^\s*\{/.test(text) ? readFeed(text, answer) : await readPage(text, answer);
    return onlyFirst(hits).slice(0, count);
  },
};

function readFeed(text: string, { status }: WebAnswer): SearchHit[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failed(service, "its answer is not JSON");
  }
  if (isFields(value) && Number(value.antiFlag) === 1) throw blocked(service, status);
  if (status !== 200) throw failed(service, `it answers HTTP ${status}`, status >= 500);
  const feed = isFields(value) ? value.feed : undefined;
  if (!isFields(feed)) throw failed(service, "its answer has no list of results");
  const list = Array.isArray(feed.entry) ? feed.entry.filter(isFields) : [];
  return list.flatMap((entry) => {
    const time = Number(entry.time);
    const date = time > 0 ? new Date(time * 1000) : null;
    const [hit] = hitsOf([entry], { title: "title", url: "url", snippet: "abs" });
    if (hit === undefined) return [];
    const isDate = date !== null && !Number.isNaN(date.getTime());
    return [{ ...hit, ...(isDate && { date: date.toISOString().slice(0, 10) }) }];
  });
}

async function readPage(text: string, answer: WebAnswer): Promise<SearchHit[]> {
  const { parsePage } = await import("../../page/dom/parse_page.ts");
  const hits = withClass(parsePage(text, answer.url), "div", "c-container").flatMap((result): SearchHit[] => {
    const link = result.querySelectorAll("h3")[0]?.querySelectorAll("a")[0];
    // The link leads through a counter; the address itself stands beside it.
    const url = webAddress(result.getAttribute("mu") || link?.getAttribute("href"), answer.url);
    if (link === undefined || url === null) return [];
    const abstract = result.querySelectorAll("*").find((element) =>
      hasClass(element, "c-abstract") || /(?:^|\s)content-right_/.test(element.className)
    );
    return [{ title: lineOf(link), url, snippet: lineOf(abstract) }];
  });
  return judgeResults(service, { answer, text, hits, signs: SIGNS });
}
