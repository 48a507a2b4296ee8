// @ts-types="../../tools/engine/web/page/article/readability.d.ts"
import library from "@mozilla/readability";
import { parseHTML } from "linkedom";
// @ts-types="./turndown.d.ts"
import Turndown from "turndown";

/** The library as it is made for browsers. */
const { Readability } = library as unknown as {
  Readability: new (document: unknown) => { parse(): { content: string } | null };
};

/** Returns the article of a page as Markdown, as libraries make it that people put together: no bounds, no fallback. */
export function readHtmlBare(html: string): string {
  const { document } = parseHTML(html) as unknown as { document: unknown };
  return new Turndown().turndown(new Readability(document).parse()?.content ?? "");
}
