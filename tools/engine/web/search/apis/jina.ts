import { readJson } from "../../service/ask_service.ts";
import { refuseStatus } from "../../service/refuse_status.ts";
import { jinaSearch as service } from "../../service/services.ts";
import type { SearchEngine } from "../results/search.ts";
import { hitsOf, listOf, pageOf, pathOf } from "./results.ts";

const MAX_COUNT = 20;

/** Jina Search, without the texts of the pages. */
export const jinaEngine: SearchEngine = {
  service,
  kinds: ["web"],
  ask({ text, count, skip, language, country }) {
    const size = Math.min(MAX_COUNT, count);
    const { page } = pageOf({ skip, size });
    const path = pathOf("/", {
      q: text,
      num: size,
      page: page === 0 ? undefined : page + 1,
      gl: country,
      hl: language,
    });
    return { path, headers: { accept: "application/json", "x-respond-with": "no-content" } };
  },
  readsErrors: true,
  read(answer, { count, skip }) {
    // The service calls it an error that nothing was found.
    if (answer.status === 422 && readJson(service, answer).name === "AssertionFailureError") return [];
    refuseStatus(service, answer);
    const { data } = readJson(service, answer);
    const { before } = pageOf({ skip, size: Math.min(MAX_COUNT, count) });
    const names = { title: "title", url: "url", snippet: "description", date: "date" };
    return hitsOf(listOf(service, data), names).slice(before, before + count);
  },
};
