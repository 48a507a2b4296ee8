import { readJson } from "../../service/ask_service.ts";
import { serply as service } from "../../service/services.ts";
import type { SearchEngine } from "../results/search.ts";
import { hitsOf, listOf, pathOf } from "./results.ts";

/** Serply. */
export const serplyEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask: ({ text, count, skip = 0, language, country }) => ({
    path: pathOf("/v1/search/", {
      q: text,
      num: count,
      start: skip === 0 ? undefined : skip,
      gl: country,
      hl: language,
    }),
    headers: { accept: "application/json", "user-agent": "bulkhead" },
  }),
  read(answer, { count }) {
    const { results } = readJson(service, answer);
    const names = { title: "title", url: "link", snippet: "description", date: "date" };
    return hitsOf(listOf(service, results), names).slice(0, count);
  },
};
