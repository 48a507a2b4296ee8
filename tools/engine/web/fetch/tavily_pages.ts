import type { ToolContext } from "../../../../schemas/context.ts";
import { listOf } from "../search/apis/results.ts";
import { plainText } from "../search/results/plain_text.ts";
import { askService, readJson } from "../service/ask_service.ts";
import { tavily } from "../service/services.ts";
import { canonicalUrl } from "../sources/canonical_url.ts";
import { cleanText } from "./clean_text.ts";

/** What a service read of a page. */
export interface Extracted {
  /** Empty if it gives none. */
  title: string;
  text: string;
}

/**
 * Lets Tavily read pages.
 *
 * @param urls At most 20
 * @returns What it could read, by the address that was asked for, however the service spells it
 * @throws {ToolError} What asking a service throws
 */
export async function extractByTavily(
  urls: readonly string[],
  { timeoutMs, context }: { timeoutMs: number; context: Pick<ToolContext, "web" | "keys" | "settings"> },
): Promise<Map<string, Extracted>> {
  const json = { urls, extract_depth: "basic", format: "markdown" };
  const { results } = readJson(
    tavily,
    await askService(tavily, { path: "/extract", json }, { timeoutMs, context }),
  );
  const asked = new Map(urls.map((url) => [canonicalUrl(url), url]));
  const read = new Map<string, Extracted>();
  for (const fields of listOf(tavily, results)) {
    const url = typeof fields.url === "string" ? asked.get(canonicalUrl(fields.url)) : undefined;
    const text = typeof fields.raw_content === "string" ? cleanText(fields.raw_content) : "";
    if (url !== undefined && text !== "") read.set(url, { title: plainText(fields.title), text });
  }
  return read;
}
