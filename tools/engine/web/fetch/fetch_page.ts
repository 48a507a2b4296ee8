import type { ToolContext, WebAnswer, WebRequest } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Page } from "../cache/page.ts";
import { readContent, wayNote, type WebText } from "../content/read_content.ts";
import { retryAfter } from "../service/refuse_status.ts";
import { pageAddress, webUrl } from "./web_url.ts";
import { cleanText } from "./clean_text.ts";

/** Most bytes of a page that are read. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Most characters of a page that are kept. */
const MAX_CHARS = 2_000_000;

/** How a page is fetched. */
export interface FetchOptions {
  /** The part that a reader wants, or all that the page shows. @default "article" */
  want?: Page["want"];
  /** Longest time of the fetch, in milliseconds. @default what is left of the call's */
  timeoutMs?: number;
  /** Throws for an answer whose body is not wanted. @default requireSuccess */
  refuse?: (answer: WebAnswer) => void;
  /** Gets the picture that the server gave instead of a page. @default it is left out */
  onPicture?: (picture: NonNullable<WebText["picture"]>) => void;
  /** How to read all of a page, for the note that no article was found. @default no such way */
  whole?: string;
  context: ToolContext;
}

/** Part of the call's time that is kept for returning the result. */
const MARGIN_MS = 250;

const NO_TEXT = "The page has no text: what its scripts would write is not read";

/**
 * Fetches a page and reads it as text.
 *
 * @param url As people write it; the scheme may be missing
 * @throws {ToolError} What the way to the network and the readers throw; `invalid_input` for what is no text
 */
export async function fetchPage(url: string, options: FetchOptions): Promise<Page> {
  const { want = "article", refuse = requireSuccess, onPicture, whole = "", context } = options;
  const answer = await context.web.request(requestOf(url, options));
  refuse(answer);
  const content = { bytes: answer.body, contentType: answer.headers["content-type"] ?? "", url: answer.url };
  const read = await readContent(content, { want, maxChars: MAX_CHARS }, context);
  if (read.picture !== null) onPicture?.(read.picture);
  const text = cleanText(read.text);
  const way = text === "" ? NO_TEXT : want === "page" ? null : wayNote(read.way, whole);
  const cut = read.totalChars > read.text.length || answer.truncated;
  const { author, date, language } = read;
  return {
    asked: pageAddress(url) ?? url,
    want,
    url: answer.url,
    status: answer.status,
    title: read.title ?? "",
    ...{ author, date, language, text },
    links: countLinks(text, { pictures: false }),
    images: countLinks(text, { pictures: true }),
    notes: [
      ...read.notes,
      ...way === null ? [] : [way],
      ...cut ? ["The page is longer than what was read of it"] : [],
    ],
    fetchedAt: Date.now(),
  };
}

function requestOf(url: string, { timeoutMs, context: { deadline } }: FetchOptions): WebRequest {
  const left = Math.max(1, deadline - Date.now() - MARGIN_MS);
  const within = Math.min(timeoutMs ?? left, left);
  return {
    url: webUrl(url),
    headers: {
      accept: "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8",
      "accept-language": "en,*;q=0.5",
    },
    maxBytes: MAX_BYTES,
    firstByteMs: within,
    timeoutMs: within,
  };
}

/** Counts the links, or the pictures, of Markdown. */
function countLinks(markdown: string, { pictures }: { pictures: boolean }): number {
  const found = markdown.matchAll(/(!?)\[[^\]\n]{0,500}\]\([^)\s]{1,2000}/g);
  return [...found].filter(([, mark]) => (mark === "!") === pictures).length;
}

/**
 * Passes a page of success.
 *
 * @throws {ToolError} `not_found` for a page that is not there; `rate_limited`; `external_failure`, retryable if the server
 * failed
 */
export function requireSuccess(
  { url, status, headers = {} }: Pick<Page, "url" | "status"> & { headers?: WebAnswer["headers"] },
): void {
  if (status >= 200 && status < 300) return;
  const after = status === 429 || status >= 500 ? retryAfter({ headers }) : null;
  const details = { url, status, ...(after !== null && { retry_after_seconds: after }) };
  const said = `${url} answers HTTP ${status}`;
  const later = after === null ? "" : `; try again in ${after} s`;
  if (status === 404 || status === 410) {
    throw new ToolError("not_found", `${said}: there is no such page`, { details });
  }
  if (status === 429) {
    throw new ToolError("rate_limited", `${said}: it is asked too often${later}`, { details });
  }
  const why = status >= 500 ? "the server failed" : status >= 400 ? "it does not show this page" : "no page";
  throw new ToolError("external_failure", `${said}: ${why}${later}`, {
    retryable: status >= 500 || status === 408,
    details,
  });
}
