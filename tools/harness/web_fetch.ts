import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { type ErrorCode, ToolError } from "../../schemas/error.ts";
import { defineTool, type Told } from "../../schemas/tool.ts";
import { countCharacters } from "../engine/file/characters.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { countOf } from "../engine/summary.ts";
import type { Page } from "../engine/web/cache/page.ts";
import { type KeptPage, PageCache } from "../engine/web/cache/page_cache.ts";
import type { LineRange } from "../engine/web/content/lines.ts";
import { fetchPage, requireSuccess } from "../engine/web/fetch/fetch_page.ts";
import { fetchByJina } from "../engine/web/fetch/jina_page.ts";
import { netTargets, pageAddress, webUrl } from "../engine/web/fetch/web_url.ts";
import { addressesOf, jinaReader, keysOf } from "../engine/web/service/services.ts";
import { mayRead, serviceTargets } from "../engine/web/service/ask_service.ts";
import { webErrorText } from "./shared/web_error_text.ts";

const MOST = "WEBFETCH_MAX_CHARS";
const TIMEOUT = "WEBFETCH_TIMEOUT_SECONDS";
const DEFAULT_MOST = 16_384;
const DEFAULT_TIMEOUT_SECONDS = 300;
const HOUR_MS = 3_600_000;
/** A page is fetched anew after this time, in milliseconds; reading on stays with the page as it was. */
const FRESH_MS = 15 * 60_000;
const INTEGERS = "start_line, end_line, and max_chars must be integers when provided.";

const input = z.object({
  url: z.string().describe("URL of one page."),
  start_line: z.int({ error: INTEGERS }).meta({ minimum: 1 }).default(1).describe(
    "First line to read, from 1.",
  ),
  end_line: z.int({ error: INTEGERS }).meta({ minimum: 1 }).optional().describe(
    "Last line to read, included. Default: the last line of the page.",
  ),
  start_char: z.int({ error: INTEGERS }).meta({ minimum: 0 }).default(0).describe(
    "Where in the first line to begin, from 0: next_start_char of an earlier call, which ended inside a long line.",
  ),
  max_chars: z.int({ error: INTEGERS }).meta({ minimum: 1 }).optional().describe(
    `Maximum number of characters to return. Default and most: ${MOST} or ${DEFAULT_MOST}.`,
  ),
  want: z.enum(["article", "page"]).default("article").describe(
    "article: the part that a reader of the page wants. page: all that it shows.",
  ),
});

const output = z.object({
  url: z.string(),
  source_type: z.literal("web"),
  title: z.string(),
  author: z.string().nullable(),
  date: z.string().nullable(),
  language: z.string().nullable(),
  final_url: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  total_lines: z.int(),
  total_chars: z.int(),
  max_chars: z.int(),
  returned_chars: z.int(),
  truncated: z.boolean(),
  next_start_line: z.int().optional(),
  next_start_char: z.int().optional(),
  note: z.string().optional(),
  content: z.string(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export default defineTool({
  name: "WebFetch",
  description:
    "Fetch one page of the web and return its text as Markdown, or a range of its lines; also JSON, text, PDF and office " +
    "files. Long results are cut: truncated is true then, and next_start_line says where to read on, which fetches " +
    "nothing again. Make several calls in one turn for several pages.",
  seeAlso: ["Find pages with {WebSearch}."],
  input,
  output,
  promptHints: ["Read pages of the web with {WebFetch}; read on with start_line."],
  needs: { net: "granted" },
  readOnly: true,
  parallel: true,
  outside: true,
  settings: [MOST, TIMEOUT, ...addressesOf([jinaReader])],
  secrets: keysOf([jinaReader]),
  examples: [
    { line: "https://example.com", meaning: "Read a page" },
    { line: "https://example.com start_line=100 end_line=200", meaning: "Read a part of it" },
  ],
  shows: { kind: "text", at: "content" },
  limits: { timeoutMs: HOUR_MS },
  targets: ({ url, want }, told) => [
    ...netTargets([url]),
    ...isForService({ url, want }, told) ? serviceTargets([jinaReader], told, { ifNeeded: true }) : [],
  ],
  async run(input, context): Promise<Output> {
    const range = rangeOf(input, context.settings);
    const page = await findPage(input, context);
    return outputOf(page, await page.lines(range), input, range);
  },
  summary: ({ title, total_lines, start_line, end_line }) =>
    start_line === 1 && end_line >= total_lines
      ? `${title || "page"} · ${countOf(total_lines, "line", "lines")}`
      : `${title || "page"} · lines ${start_line}–${end_line} of ${total_lines}`,
  text: renderOutput,
  errorText: webErrorText("WebFetch"),
});

interface Range {
  startLine: number;
  startChar: number;
  endLine: number;
  maxChars: number;
}

function rangeOf(
  { start_line, end_line, start_char, max_chars }: Input,
  settings: ToolContext["settings"],
): Range {
  const most = positive(MOST, settings, DEFAULT_MOST);
  const maxChars = max_chars ?? most;
  if (start_line < 1) throw new ToolError("invalid_input", "start_line must be >= 1.");
  if (end_line !== undefined && end_line < start_line) {
    throw new ToolError("invalid_input", "end_line must be >= start_line.");
  }
  if (start_char < 0) throw new ToolError("invalid_input", "start_char must be >= 0.");
  if (maxChars <= 0) throw new ToolError("invalid_input", "max_chars must be > 0.");
  if (maxChars > most) {
    const advice = "Use a narrower line range to read more of the page.";
    throw new ToolError("invalid_input", `max_chars must be <= ${MOST} (${most}). ${advice}`, {
      details: { max_chars: maxChars, limit: most },
    });
  }
  return { startLine: start_line, startChar: start_char, endLine: end_line ?? Infinity, maxChars };
}

function positive(variable: string, settings: ToolContext["settings"], usual: number): number {
  const value = settings[variable]?.trim() || String(usual);
  if (!(Number(value) > 0)) {
    throw new ToolError("configuration", `${variable} must be > 0.`, { details: { variable, value } });
  }
  return Math.floor(Number(value));
}

/** A page that was read before needs no fetch: the next lines are those of the same text. */
async function findPage(
  { url, start_line, start_char, want }: Input,
  context: ToolContext,
): Promise<KeptPage> {
  const cache = new PageCache(context.session);
  const maxAgeMs = start_line > 1 || start_char > 0 ? Infinity : FRESH_MS;
  const seconds = positive(TIMEOUT, context.settings, DEFAULT_TIMEOUT_SECONDS);
  return await cache.findOrFetch(pageAddress(url) ?? url, { want, maxAgeMs }, async () => {
    const timeoutMs = Math.min(seconds * 1000, HOUR_MS);
    const fetched = await fetchAnyWay({ url, want }, { timeoutMs, context });
    for (const note of fetched.page.notes) context.warn(note);
    return fetched;
  });
}

function isForService({ url, want }: Pick<Input, "url" | "want">, told: Told): boolean {
  return want === "article" && mayRead(jinaReader, webUrl(url), told);
}

/** What the page itself, or the user, has to do with: to fetch it here would not help. */
const LAST_WORDS: ReadonlySet<ErrorCode> = new Set([
  "unauthenticated",
  "not_found",
  "configuration",
]);

/** The service that the document names, if it has a key; if it fails, and without it, the page is fetched here. */
async function fetchAnyWay(
  { url, want }: Pick<Input, "url" | "want">,
  { timeoutMs, context }: { timeoutMs: number; context: ToolContext },
): Promise<{ page: Page; isPicture: boolean }> {
  const until = Date.now() + timeoutMs;
  if (isForService({ url, want }, context)) {
    try {
      const page = await fetchByJina(url, { timeoutMs: timeoutMs / 2, context });
      requireSuccess(page);
      return { page, isPicture: false };
    } catch (error) {
      if (!(error instanceof ToolError) || LAST_WORDS.has(error.code) || context.signal.aborted) {
        throw error;
      }
      context.warn(`${error.message}; the page was fetched without it`);
    }
  }
  const left = Math.max(1, until - Date.now());
  let isPicture = false;
  const onPicture = (picture: Parameters<ToolContext["attach"]>[0]) => {
    isPicture = true;
    context.attach(picture);
  };
  const whole = 'Pass want="page" for all of it.';
  const page = await fetchPage(url, { want, timeoutMs: left, onPicture, whole, context });
  return { page, isPicture };
}

function outputOf(page: KeptPage, taken: LineRange, { url }: Input, range: Range): Output {
  const next = taken.isCut ? taken.nextLine : null;
  return {
    url,
    source_type: "web",
    title: page.title,
    author: page.author,
    date: page.date,
    language: page.language,
    final_url: page.url,
    start_line: range.startLine,
    end_line: range.endLine === Infinity ? taken.totalLines : range.endLine,
    total_lines: taken.totalLines,
    total_chars: page.totalChars,
    max_chars: range.maxChars,
    returned_chars: countCharacters(taken.text),
    truncated: taken.isCut,
    ...(next !== null && { next_start_line: next }),
    ...(next !== null && taken.nextChar > 0 && { next_start_char: taken.nextChar }),
    ...noteOf(taken, range),
    content: taken.text,
  };
}

const CUT =
  `content was truncated by max_chars; use a narrower line range, or raise max_chars only up to ${MOST} if this call ` +
  "used a smaller value.";

function noteOf(
  { isCut, totalLines }: { isCut: boolean; totalLines: number },
  { startLine }: Range,
): { note?: string } {
  if (isCut) return { note: CUT };
  if (totalLines === 0) return { note: "the page has no text." };
  return startLine > totalLines
    ? { note: `start_line is past the end: the page has ${totalLines} lines.` }
    : {};
}

/** Says whether two addresses are spelled differently, or are two. */
function leadsElsewhere(url: string, final: string): boolean {
  return pageAddress(url) !== pageAddress(final);
}

function renderOutput({ url, final_url, title, author, date, language, content, ...facts }: Output): string {
  const { source_type, ...numbers } = facts;
  const isElsewhere = leadsElsewhere(url, final_url);
  const known = Object.entries({ title, author, date, language }).filter(([, value]) => value);
  const lines = Object.entries({
    url: oneLine(url),
    source_type,
    ...(isElsewhere && { final_url: oneLine(final_url) }),
    ...numbers,
  }).map(([name, value]) => `${name}: ${value}`);
  // Facts about the page stand between its address and its lines.
  lines.splice(
    final_url !== url ? 3 : 2,
    0,
    ...known.map(([name, value]) => `${name}: ${oneLine(String(value))}`),
  );
  return [...lines, "content:", content].join("\n");
}
