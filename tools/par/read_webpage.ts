import * as z from "zod";

import type { WebAnswer } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { takeChars } from "../engine/web/fetch/clean_text.ts";
import { fetchPage } from "../engine/web/fetch/fetch_page.ts";
import { retryAfter } from "../engine/web/service/refuse_status.ts";
import { netTargets } from "../engine/web/fetch/web_url.ts";
import { bounded } from "./shared/bounded.ts";

const MIN_LENGTH = 100;
const MAX_LENGTH = 500_000;

const input = z.object({
  url: z.string().describe("http: or https: URL of the page."),
  max_length: z.int().default(10_000).describe(
    `Most characters of text to return, from ${MIN_LENGTH} to ${MAX_LENGTH}.`,
  ),
});

const output = z.object({
  url: z.string(),
  title: z.string(),
  text: z.string(),
  text_length: z.int(),
  truncated: z.boolean(),
});

export default defineTool({
  name: "read_webpage",
  description:
    "Fetch a page of the web and return its title and all its text, without scripts and styles, as Markdown. " +
    'Example: {"url": "https://example.com", "max_length": 10000}.',
  seeAlso: ["For the source of a page, use {fetch_url}."],
  input,
  output,
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  outside: true,
  examples: [
    { line: "url=https://example.com max_length=2000", meaning: "Read the text of a page" },
  ],
  shows: { kind: "text", at: "text" },
  limits: { timeoutMs: 15_000 },
  targets: ({ url }) => netTargets([url]),
  async run({ url, max_length }, context): Promise<z.output<typeof output>> {
    const count = bounded("max_length", max_length, {
      least: MIN_LENGTH,
      most: MAX_LENGTH,
      warn: context.warn,
    });
    const page = await fetchPage(url, { want: "page", refuse: requireStatus, context });
    for (const note of page.notes) context.warn(note);
    const { text, next } = takeChars(page.text, { start: 0, count });
    return { url, title: page.title, text, text_length: next, truncated: text.length < page.text.length };
  },
  summary: ({ title, text_length }) => `${title || "page"} · ${text_length} characters`,
});

/** The document has one kind of error for all statuses. */
function requireStatus({ url, status, headers }: WebAnswer): void {
  if (status >= 200 && status < 300) return;
  const after = retryAfter({ headers });
  const later = after === null ? "" : `; try again in ${after} s`;
  throw new ToolError("external_failure", `HTTP ${status} from ${url}${later}`, {
    retryable: status >= 500 || status === 429,
    details: { url, status, ...(after !== null && { retry_after_seconds: after }) },
  });
}
