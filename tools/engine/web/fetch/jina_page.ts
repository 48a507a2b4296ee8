import type { ToolContext } from "../../../../schemas/context.ts";
import type { Page } from "../cache/page.ts";
import { askService, failed } from "../service/ask_service.ts";
import { jinaReader } from "../service/services.ts";
import { cleanText } from "./clean_text.ts";
import { pageAddress, webUrl } from "./web_url.ts";

/** The service tells of an error of the page in a line of a success. */
const PAGE_STATUS = /^Target URL returned error (\d{3})\b/;

/**
 * Lets Jina Reader fetch a page.
 *
 * @throws {ToolError} What asking a service throws; `external_failure` for an answer without text
 */
export async function fetchByJina(
  url: string,
  { timeoutMs, context }: { timeoutMs: number; context: Pick<ToolContext, "web" | "keys" | "settings"> },
): Promise<Page> {
  const asked = webUrl(url);
  // The address is a path of the service's: its own "?" and "#" must not become the service's.
  const path = `/${asked.replace(/#.*$/s, "")}`;
  const answer = await askService(jinaReader, { path, headers: { accept: "text/plain" } }, {
    timeoutMs,
    context,
  });
  const text = cleanText(new TextDecoder().decode(answer.body));
  if (text === "") throw failed(jinaReader, "it gave no text");
  const head = text.split(/^Markdown Content:$/m, 1)[0] ?? "";
  const warnings = [...head.matchAll(/^Warning: (.{1,300})$/gm)].map(([, warning = ""]) => warning);
  const status = warnings.map((warning) => PAGE_STATUS.exec(warning)?.[1]).find((code) => code !== undefined);
  return {
    asked: pageAddress(url) ?? url,
    want: "article",
    url: asked,
    status: status === undefined ? 200 : Number(status),
    // The text begins with the title, the address and the date.
    title: "",
    author: null,
    date: null,
    language: null,
    text,
    links: 0,
    images: 0,
    notes: [],
    fetchedAt: Date.now(),
  };
}
