import { Parser } from "htmlparser2";

import { parsePage } from "./dom/parse_page.ts";
import { writeMarkdown } from "./markdown/write_markdown.ts";
import type { Metadata } from "./metadata.ts";

const MAX_ENTRIES = 300;
const MAX_SUMMARY = 3000;
const MAX_FIELD = 200_000;
const MAX_DEPTH = 50;
const ROOT = /^(?:\ufeff|\s|<\?[^>]*>|<!--[^]*?-->|<!DOCTYPE[^>]*>)*<(?:\w+:)?(?:rss|feed|rdf)\b/i;
const ENTRY: ReadonlySet<string> = new Set(["item", "entry"]);

/** A feed, or one entry of it: texts by the local names of elements. */
type Fields = Map<string, string>;

/** Says whether XML is a feed: RSS, Atom or RDF. */
export function isFeed(xml: string): boolean {
  return ROOT.test(xml.slice(0, 4000));
}

/** Reads a feed as Markdown: a heading, date, author and summary for each entry. */
export function readFeed(xml: string, url: string): { metadata: Metadata; text: string; notes: string[] } {
  const { feed, entries, isCut } = collect(xml);
  const place = { base: url, page: url };
  const blocks = entries.flatMap((entry) => {
    const link = URL.parse(entry.get("link") ?? "", url)?.href;
    const title = plain(entry.get("title") ?? "") || link || "(no title)";
    const heading = link === undefined ? `## ${title}` : `## [${title.replace(/[[\]]/g, "\\$&")}](${link})`;
    const facts = [dateOf(entry), plain(entry.get("creator") ?? entry.get("author") ?? "")];
    const line = facts.filter((fact) => fact !== "").join(" · ");
    const html = entry.get("encoded") ?? entry.get("content") ?? entry.get("description") ??
      entry.get("summary") ?? "";
    const { body } = parsePage(html.slice(0, MAX_FIELD), url);
    const summary = body === null ? "" : writeMarkdown(body, place).text;
    const shown = summary.length > MAX_SUMMARY ? `${summary.slice(0, MAX_SUMMARY)} …` : summary;
    return [heading, line, shown].filter((block) => block !== "");
  });
  const notes = isCut ? [`Only the first ${MAX_ENTRIES} entries of the feed were read`] : [];
  const metadata = {
    title: plain(feed.get("title") ?? "") || null,
    author: plain(feed.get("creator") ?? feed.get("author") ?? "") || null,
    date: dateOf(feed) || null,
    language: plain(feed.get("language") ?? "") || null,
    site: null,
  };
  return { metadata, text: blocks.join("\n\n"), notes };
}

function collect(xml: string): { feed: Fields; entries: Fields[]; isCut: boolean } {
  const feed: Fields = new Map();
  const entries: Fields[] = [];
  const path: string[] = [];
  let open: Fields = feed;
  let isCut = false;
  let text: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const local = localName(name);
      if (ENTRY.has(local)) {
        isCut ||= entries.length === MAX_ENTRIES;
        open = new Map();
        if (!isCut) entries.push(open);
      }
      const leads = local === "link" && (attributes["rel"] ?? "alternate") === "alternate";
      if (leads && attributes["href"] !== undefined && !open.has("link")) {
        open.set("link", attributes["href"]);
      }
      const language = attributes["xml:lang"];
      if (path.length === 0 && language !== undefined) feed.set("language", language);
      if (path.length < MAX_DEPTH) path.push(local);
      text = [];
    },
    ontext: (piece) => void text.push(piece),
    onclosetag(name) {
      const local = localName(name);
      const value = text.join("").trim();
      const above = path.at(-2) ?? "";
      const field = local === "name" && above === "author" ? "author" : local;
      // Pictures of feeds have titles of their own.
      if (value !== "" && above !== "image" && !open.has(field)) open.set(field, value);
      if (ENTRY.has(local)) open = feed;
      path.pop();
      text = [];
    },
  }, { xmlMode: true });
  parser.end(xml);
  return { feed, entries, isCut };
}

function dateOf(fields: Fields): string {
  const found = ["pubdate", "published", "date", "updated", "lastbuilddate"].map((name) => fields.get(name));
  return plain(found.find((date) => date !== undefined) ?? "");
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

function plain(text: string): string {
  return text.replace(/<[^>]{0,500}>/g, "").replace(/\s+/g, " ").trim().slice(0, 500);
}
