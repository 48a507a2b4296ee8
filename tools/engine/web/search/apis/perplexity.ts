import { readJson } from "../../service/ask_service.ts";
import { perplexity as service } from "../../service/services.ts";
import type { SearchEngine } from "../results/search.ts";
import { hitsOf, listOf } from "./results.ts";

/** Most results of one question; the service has no second page. */
const MAX_COUNT = 20;

/** Perplexity Search. */
export const perplexityEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask: ({ text, count, skip = 0, country }) => ({
    path: "/search",
    json: {
      query: text,
      max_results: Math.min(MAX_COUNT, skip + count),
      ...(country && { country: country.toUpperCase() }),
    },
  }),
  read(answer, { count, skip = 0 }) {
    const { results } = readJson(service, answer);
    const names = { title: "title", url: "url", snippet: "snippet", date: "date" };
    return hitsOf(listOf(service, results), names).slice(skip, skip + count);
  },
};
