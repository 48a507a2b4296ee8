import { failed, readJson } from "../../service/ask_service.ts";
import { brave as service } from "../../service/services.ts";
import type { SearchEngine, SearchQuery } from "../results/search.ts";
import { hitsOf, isFields, languageOf, listOf, pageOf, pathOf } from "./results.ts";

const MAX_COUNT = 20;
/** The service's `offset` counts pages, and there are ten. */
const LAST_PAGE = 9;
const MAX_CHARS = 400;
const MAX_WORDS = 50;

/** Brave Search. */
export const braveEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask(query) {
    const { text, language, country } = query;
    const { size, page } = windowOf(query);
    const path = pathOf("/res/v1/web/search", {
      q: text.split(/\s+/).slice(0, MAX_WORDS).join(" ").slice(0, MAX_CHARS),
      count: size,
      offset: page === 0 ? undefined : Math.min(page, LAST_PAGE),
      country: country?.toUpperCase(),
      search_lang: languageOf(language),
      text_decorations: "false",
    });
    return { path, headers: { accept: "application/json" } };
  },
  read(answer, query) {
    const found = readJson(service, answer);
    if (found.type !== "search") throw failed(service, "its answer is not what its documentation says");
    // Without results the whole part is missing.
    if (found.web === undefined || found.web === null) return [];
    const { before, page } = windowOf(query);
    if (page > LAST_PAGE) return [];
    const list = listOf(service, isFields(found.web) ? found.web.results : undefined);
    const names = { title: "title", url: "url", snippet: "description", date: "age" };
    return hitsOf(list, names).slice(before, before + query.count);
  },
};

/** Pages of the wanted size if the wanted results begin one, else the largest pages. */
function windowOf({ count, skip = 0 }: SearchQuery): { size: number; page: number; before: number } {
  const wanted = Math.min(MAX_COUNT, count);
  const size = skip % wanted === 0 ? wanted : MAX_COUNT;
  return { size, ...pageOf({ skip, size }) };
}
