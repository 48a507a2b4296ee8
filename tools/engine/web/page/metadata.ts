import type { PageDocument } from "./dom/document.ts";
import type { PageElement } from "./dom/node.ts";

/** What a page says about itself; `null` for what it does not say. */
export interface Metadata {
  title: string | null;
  author: string | null;
  /** When it was published, as the page writes it: most often ISO 8601. */
  date: string | null;
  /** Language tag, such as `en-GB`. */
  language: string | null;
  /** Name of the site. */
  site: string | null;
}

const MAX_CHARS = 500;
/** Data of scripts that is longer says nothing about one article. */
const MAX_JSON = 1_000_000;
/** Descriptions hold each other. */
const MAX_DEPTH = 4;
const ARTICLE_TYPE = /Article|Posting|Report|Review|Recipe|WebPage$|Book|Course|HowTo|Movie|Product|Thesis/;

const TITLE = ["og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title"];
const AUTHOR = [
  "author",
  "article:author",
  "dc.creator",
  "dcterms.creator",
  "citation_author",
  "parsely-author",
];
const DATE = [
  ...[
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dcterms.date",
  ],
  ...[
    "dc.date.issued",
    "dcterms.created",
    "citation_publication_date",
    "pubdate",
    "publishdate",
    "publish_date",
  ],
  ...["parsely-pub-date", "sailthru.date", "article.published", "last-modified"],
];
const SITE = ["og:site_name", "application-name", "twitter:site"];

/** What a page says, and names that it links as those of its authors: less is to be said for them. */
export interface PageFacts extends Metadata {
  linkedNames: string | null;
}

/** Reads what the page says about itself: data of schema.org first, then `meta` elements, then the page. */
export function readMetadata(document: PageDocument): PageFacts {
  const meta = metaOf(document);
  const linked = linkedData(document);
  const first = (names: readonly string[]) => {
    for (const name of names) for (const text of meta.get(name) ?? []) if (text !== "") return text;
    return "";
  };
  const authors = (meta.get("citation_author") ?? []).join("; ");
  const pick = (...texts: string[]) => texts.find((text) => text !== "" && !isAddress(text)) ?? null;
  const root = document.documentElement;
  return {
    title: pick(linked.title, first(TITLE), clean(document.title)),
    author: pick(linked.author, authors, first(AUTHOR)),
    linkedNames: byRelation(document) || null,
    date: pick(linked.date, first(DATE), dateInPage(document)),
    language: pick(
      clean(root?.getAttribute("lang") ?? root?.getAttribute("xml:lang") ?? ""),
      first(["content-language", "language", "dc.language", "og:locale"]).replace("_", "-"),
      linked.language,
    ),
    site: pick(first(SITE).replace(/^@/, ""), linked.site),
  };
}

/** All contents of `meta` elements by name, in small letters. */
function metaOf(document: PageDocument): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const element of document.querySelectorAll("meta")) {
    const named = ["property", "name", "itemprop", "http-equiv"].map((name) =>
      element.getAttribute(name) ?? ""
    );
    const content = clean(element.getAttribute("content") ?? "");
    for (const name of named.join(" ").toLowerCase().split(/\s+/)) {
      if (name !== "" && content !== "") found.set(name, [...found.get(name) ?? [], content].slice(0, 20));
    }
  }
  return found;
}

interface LinkedData {
  title: string;
  author: string;
  date: string;
  language: string;
  site: string;
}

/** Reads the first description of an article in scripts of type `application/ld+json`. */
function linkedData(document: PageDocument): LinkedData {
  for (const script of document.querySelectorAll("script")) {
    if (script.getAttribute("type")?.trim().toLowerCase() !== "application/ld+json") continue;
    const found = articleIn(parsed(script.textContent));
    if (found === null) continue;
    return {
      title: textIn(found["headline"] ?? found["name"]),
      author: textIn(found["author"]),
      date: textIn(found["datePublished"] ?? found["dateCreated"] ?? found["dateModified"]),
      language: textIn(found["inLanguage"]),
      site: textIn(found["publisher"]),
    };
  }
  return { title: "", author: "", date: "", language: "", site: "" };
}

function parsed(text: string): unknown {
  if (text.length > MAX_JSON) return null;
  try {
    return JSON.parse(text.replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, ""));
  } catch {
    return null;
  }
}

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the first article of a description, of a list of them, or of a graph. */
function articleIn(value: unknown, depth = 0): Json | null {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 100)) {
      const found = articleIn(item, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isRecord(value)) return null;
  const types = [value["@type"]].flat().filter((type) => typeof type === "string");
  if (types.some((type) => ARTICLE_TYPE.test(type)) && textIn(value["headline"] ?? value["name"]) !== "") {
    return value;
  }
  return articleIn(value["@graph"], depth + 1) ?? articleIn(value["mainEntity"], depth + 1);
}

/** Returns a text, the name of a thing, or those of several. */
function textIn(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return "";
  if (typeof value === "string") return clean(unescaped(value));
  if (Array.isArray(value)) {
    return clean(
      [...new Set(value.slice(0, 20).map((item) => textIn(item, depth + 1)))].filter((text) => text !== "")
        .join(", "),
    );
  }
  return isRecord(value) ? textIn(value["name"] ?? value["@value"] ?? "", depth + 1) : "";
}

/** Texts of scripts often hold entities although nothing decodes them there. */
function unescaped(text: string): string {
  return text.replace(/&(amp|quot|#0?39|lt|gt);/g, (_, name: string) => ENTITIES[name] ?? "'");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">" };

function byRelation(document: PageDocument): string {
  const links = document.querySelectorAll("a,span,address").filter((element) =>
    element.getAttribute("rel") === "author" || /\bauthor\b/.test(element.getAttribute("itemprop") ?? "")
  );
  const names = links.slice(0, 5).map((element) => clean(element.textContent)).filter(isName);
  return [...new Set(names)].join(", ");
}

function isName(text: string): boolean {
  return text !== "" && text.length < 100;
}

function dateInPage(document: PageDocument): string {
  const dated = (element: PageElement) => clean(element.getAttribute("datetime") ?? "");
  const times = document.querySelectorAll("time").filter((element) => /^\d{4}/.test(dated(element)));
  const published = times.find((element) =>
    element.hasAttribute("pubdate") || element.getAttribute("itemprop") === "datePublished" ||
    /publish|entry-date/.test(element.className)
  );
  // One date among many may be that of anything.
  const only = new Set(times.map(dated)).size === 1 ? times[0] : undefined;
  const found = published ?? only;
  return found === undefined ? "" : dated(found);
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function clean(text: string): string {
  return text.slice(0, 4 * MAX_CHARS).replace(/\s+/g, " ").trim().slice(0, MAX_CHARS);
}
