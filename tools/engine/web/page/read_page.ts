import { decodeText } from "../charset/decode.ts";
import { findArticle, type FoundArticle } from "./article/find_article.ts";
import { dropUnseen } from "./article/strip.ts";
import { composePage } from "./compose.ts";
import type { PageDocument } from "./dom/document.ts";
import { isFeed, readFeed } from "./feed.ts";
import { frameLines } from "./frames.ts";
import { MAX_MARKDOWN, writeMarkdown } from "./markdown/write_markdown.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import { readableJson } from "./readable_json.ts";
import type { PageReading, PageRequest, PageWay } from "./reading.ts";

/** A longer source is read only to here, in UTF-16 units. */
const MAX_SOURCE = 10 * 1024 * 1024;
const NOTHING: Metadata = { title: null, author: null, date: null, language: null, site: null };

/** A text and where it was found. */
interface Read {
  metadata: Metadata;
  way: PageWay;
  text: string;
  notes: string[];
}

/** Reads the bytes of a page as text. It fails for no page: what it cannot make out it gives as it came. */
export function readPage(bytes: Uint8Array, request: PageRequest): PageReading {
  const { text: source, charset } = decodeText(bytes, request.contentType);
  const notes = source.length > MAX_SOURCE
    ? [`Only the first ${MAX_SOURCE} characters of the page were read`]
    : [];
  const read = readSource(source.slice(0, MAX_SOURCE), request);
  const text = tidy(read.text);
  return {
    ...read.metadata,
    way: read.way,
    charset,
    text: text.slice(0, request.maxChars),
    totalChars: text.length,
    notes: [...notes, ...read.notes],
  };
}

function readSource(source: string, request: PageRequest): Read {
  const asText = { metadata: NOTHING, way: "text" as const, notes: [] };
  switch (request.kind) {
    case "html":
      return readHtml(source, request);
    case "xml":
      return isFeed(source) ? { ...readFeed(source, request.url), way: "feed" } : { ...asText, text: source };
    case "json":
      return { ...asText, text: readableJson(source) };
    case "text":
      return { ...asText, text: source };
  }
}

function readHtml(html: string, { url, want }: PageRequest): Read {
  const { document, notes: composed } = composePage(html, url);
  const { linkedNames, ...metadata } = readMetadata(document);
  const { isCut, baseURI } = document;
  // The search for the article takes the document apart.
  const onward = wayOn(document);
  const frames = frameLines(document);
  const again = () => composePage(html, url).document;
  const found = want === "page" ? wholePage(document) : findArticle(document, html, again);
  const written = writeMarkdown(found.element, { base: baseURI, page: url });
  const notes = [...composed];
  if (isCut) notes.push("The page has more than 100000 elements: the rest was not read");
  if (written.isCut) notes.push(`The page was cut after ${MAX_MARKDOWN} characters`);
  return {
    metadata: {
      ...metadata,
      title: metadata.title ?? (found.title || null),
      author: metadata.author ?? (bylineName(found.author) || linkedNames),
    },
    way: found.way,
    text: [written.text.trim() === "" ? onward : written.text, ...unseenIn(written.text, frames)].join(
      "\n\n",
    ),
    notes,
  };
}

/** Videos of an article have their addresses in its text. */
function unseenIn(text: string, frames: readonly string[]): string[] {
  const unseen = frames.filter((line) => !text.includes(line.slice(line.indexOf("]("))));
  return unseen.length === 0 ? [] : [unseen.join("\n")];
}

/** Says where a page without text leads by itself; `""` if it does not. */
function wayOn(document: PageDocument): string {
  for (const element of document.querySelectorAll("meta")) {
    if (element.getAttribute("http-equiv")?.trim().toLowerCase() !== "refresh") continue;
    const [, target] = /^[\s\d.]*[;,]\s*(?:url\s*=\s*)?["']?([^"']{1,4000})/i.exec(
      element.getAttribute("content") ?? "",
    ) ?? [];
    const url = target === undefined ? null : URL.parse(target.trim(), document.baseURI);
    if (url !== null && /^https?:$/.test(url.protocol)) return `This page leads on to ${url.href}`;
  }
  return "";
}

/** Takes the words before a name away: "By Ann Lee". */
function bylineName(byline: string): string {
  return byline.replace(/\s+/g, " ").trim().replace(
    /^(?:posted |written )?(?:by|von|par|por|door|di)[:\s]+/i,
    "",
  ).slice(0, 200);
}

function wholePage(document: PageDocument): Omit<FoundArticle, "way"> & { way: "page" } {
  const body = document.body ?? document.createElement("body");
  dropUnseen(body);
  return { element: body, way: "page", title: "", author: "" };
}

/** Makes line ends one character, takes NUL and byte order marks away, and leaves at most one empty line. */
function tidy(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\0\ufeff]/g, "").replace(/\n{4,}/g, "\n\n\n").trim();
}
