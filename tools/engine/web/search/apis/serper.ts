import { readJson } from "../../service/ask_service.ts";
import { serper as service } from "../../service/services.ts";
import { plainText, webAddress } from "../results/plain_text.ts";
import type { SearchEngine, SearchHit } from "../results/search.ts";
import { type Fields, hitsOf, isFields, listOf, pageOf } from "./results.ts";

/** Results of a page. */
const PAGE = 10;
const MAX_COUNT = 100;

/** Google and Google Scholar by Serper. */
export const serperEngine: SearchEngine = {
  service,
  kinds: ["web", "scholar"],
  ask({ text, count, skip, language, country, location, kind = "web" }) {
    const size = Math.min(MAX_COUNT, Math.ceil(count / PAGE) * PAGE);
    const { page } = pageOf({ skip, size });
    const place = {
      ...(location && { location }),
      ...(country && { gl: country }),
      ...(language && { hl: language }),
    };
    const part = { ...(size > PAGE && { num: size }), ...(page > 0 && { page: page + 1 }) };
    return { path: kind === "scholar" ? "/scholar" : "/search", json: { q: text, ...place, ...part } };
  },
  read(answer, { count, skip, kind = "web" }) {
    const { organic } = readJson(service, answer);
    const list = listOf(service, organic);
    const size = Math.min(MAX_COUNT, Math.ceil(count / PAGE) * PAGE);
    const { before } = pageOf({ skip, size });
    const hits = kind === "scholar"
      ? list.map(paperOf).filter((hit) => hit !== null)
      : hitsOf(list, { title: "title", url: "link", snippet: "snippet", date: "date", source: "source" });
    return hits.slice(before, before + count);
  },
};

/** A paper may have no address: then its title is what can be searched for. */
function paperOf(fields: Fields): SearchHit | null {
  const { publicationInfo } = fields;
  const info = plainText(isFields(publicationInfo) ? publicationInfo.summary : publicationInfo);
  const pdfUrl = webAddress(fields.pdfUrl);
  const url = webAddress(fields.link) ?? pdfUrl ?? "";
  const title = plainText(fields.title);
  if (title === "" && url === "") return null;
  const year = plainText(fields.year);
  const citedBy = Number(fields.citedBy ?? NaN);
  return {
    title,
    url,
    snippet: plainText(fields.snippet),
    paper: {
      ...(pdfUrl !== null && { pdfUrl }),
      ...(info !== "" && { publicationInfo: info }),
      ...(year !== "" && { year }),
      ...(Number.isInteger(citedBy) && citedBy >= 0 && { citedBy }),
    },
  };
}
