import { readJson } from "../../service/ask_service.ts";
import { exa as service } from "../../service/services.ts";
import type { SearchEngine } from "../results/search.ts";
import { hitsOf, listOf } from "./results.ts";

const MAX_COUNT = 100;
/** Longest part of a page that stands for a snippet, in characters. */
const SNIPPET_CHARS = 500;

/** Exa. */
export const exaEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask: ({ text, count, skip = 0 }) => ({
    path: "/search",
    json: {
      query: text,
      numResults: Math.min(MAX_COUNT, skip + count),
      contents: { text: { maxCharacters: SNIPPET_CHARS } },
    },
  }),
  read(answer, { count, skip = 0 }) {
    const { results } = readJson(service, answer);
    const names = { title: "title", url: "url", snippet: "text", date: "publishedDate", source: "author" };
    return hitsOf(listOf(service, results), names).slice(skip, skip + count);
  },
};
