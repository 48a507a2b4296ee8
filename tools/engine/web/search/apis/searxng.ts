import { failed, readJson } from "../../service/ask_service.ts";
import { refuseStatus } from "../../service/refuse_status.ts";
import { searxng as service } from "../../service/services.ts";
import type { SearchEngine } from "../results/search.ts";
import { hitsOf, isFields, listOf, pathOf } from "./results.ts";

/** How many results a page of the server has, more or less: it asks several engines. */
const PAGE = 20;

/** A server of SearXNG, one's own. */
export const searxngEngine: SearchEngine = {
  service,
  kinds: ["web", "scholar"],
  ask: ({ text, skip = 0, language, kind = "web" }) => ({
    path: pathOf("/search", {
      q: text,
      format: "json",
      pageno: Math.floor(skip / PAGE) + 1,
      language,
      categories: kind === "scholar" ? "science" : undefined,
    }),
    headers: { accept: "application/json" },
  }),
  readsErrors: true,
  read(answer, { count, skip = 0, kind = "web" }) {
    if (answer.status === 403) {
      throw failed(service, "it answers HTTP 403: add json to search.formats in its settings.yml", false);
    }
    refuseStatus(service, answer);
    const { results, unresponsive_engines: silent } = readJson(service, answer);
    const list = listOf(service, results);
    if (list.length === 0 && Array.isArray(silent) && silent.length > 0) {
      throw failed(service, `none of its engines answered (${silent.slice(0, 5).map(reasonOf).join(", ")})`);
    }
    const hits = list.flatMap((fields) =>
      hitsOf([fields], { title: "title", url: "url", snippet: "content", date: "publishedDate" })
        .map((hit) => kind === "scholar" ? { ...hit, paper: pdfOf(fields.pdf_url) } : hit)
    );
    return hits.slice(skip % PAGE, (skip % PAGE) + count);
  },
};

function pdfOf(value: unknown): { pdfUrl?: string } {
  return typeof value === "string" && /^https?:/.test(value) ? { pdfUrl: value } : {};
}

function reasonOf(silent: unknown): string {
  const words = Array.isArray(silent) ? silent : isFields(silent) ? Object.values(silent) : [silent];
  return words.filter((word) => typeof word === "string").join(" ").replace(/[^\p{L}\p{N} ._-]/gu, "").slice(
    0,
    60,
  );
}
