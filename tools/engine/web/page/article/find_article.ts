// @ts-types="./readability.d.ts"
import library from "@mozilla/readability";

import type { PageDocument } from "../dom/document.ts";
import type { PageElement } from "../dom/node.ts";
import { TooMuchWork } from "../dom/owner.ts";
import { findMainPart } from "./main_part.ts";
import { pruneArticle } from "./prune.ts";
import { dropChrome, dropConsent, dropUnseen, isMostlyConsent } from "./strip.ts";

/** How the text was found: as an article, in a part that is named as the content, or as all but the surroundings. */
export type Way = "article" | "main" | "body";

/** The part of a page that a reader wants. */
export interface FoundArticle {
  element: PageElement;
  way: Way;
  /** What Readability takes for them. */
  title: string;
  author: string;
}

/** Nodes visited and characters copied, for each character of the page: real pages need up to 20. */
const WORK_PER_CHAR = 60;
const LEAST_WORK = 5_000_000;
/** Two megabytes of a real page have 25,000; Readability makes several trees of them. */
const MOST_ELEMENTS = 50_000;
const MOST_WORK = 100_000_000;
/** A longer article is believed. */
const ENOUGH_CHARS = 1200;
/** Longer ones are not counted exactly. */
const LONG_TEXT = 50_000;
/** A shorter one is not. */
const FEW_CHARS = 150;
const MIN_PART = 0.25;

/**
 * Finds the article of a page. It uses up the document. If Readability finds none or too little of the page, or
 * works too long, the page is read again without it.
 *
 * @param html The source of the document
 * @param again Reads the document again
 */
export function findArticle(document: PageDocument, html: string, again: () => PageDocument): FoundArticle {
  const isLarge = document.elementCount > MOST_ELEMENTS;
  const article = isLarge ? null : withReadability(document, html.length);
  const length = textLength(article?.element);
  if (article !== null && length >= ENOUGH_CHARS) return pruned(article);
  // Two trees of a large page need much memory.
  if (article === null && !isLarge) document.empty();
  const second = withoutReadability(isLarge ? document : again(), again);
  const isLittle = length < FEW_CHARS || length < MIN_PART * second.bodyLength;
  if (article !== null && !isLittle) return pruned(article);
  // Too little for an article, but all that there is.
  if (article !== null && length > textLength(second.element)) return { ...article, way: "body" };
  return {
    element: second.element,
    way: second.way,
    title: article?.title ?? "",
    author: article?.author ?? "",
  };
}

function withReadability(document: PageDocument, length: number): FoundArticle | null {
  document.allow(Math.min(LEAST_WORK + WORK_PER_CHAR * length, MOST_WORK));
  try {
    if (document.body !== null) dropConsent(document.body);
    const options = { keepClasses: true, serializer: (element: PageElement) => element };
    const found = new library.Readability(document, options).parse();
    // It may be what the page asks, or the page itself: all of the page has both.
    if (!found?.content || isMostlyConsent(found.content)) return null;
    return { element: found.content, way: "article", title: found.title ?? "", author: found.byline ?? "" };
  } catch (error) {
    // It also fails on pages that nobody foresaw.
    if (error instanceof TooMuchWork || error instanceof TypeError || error instanceof RangeError) {
      return null;
    }
    throw error;
  } finally {
    document.allow(Infinity);
  }
}

function pruned(article: FoundArticle): FoundArticle {
  pruneArticle(article.element);
  return article;
}

/** @param again Reads the page again; `document` is used up */
function withoutReadability(
  document: PageDocument,
  again: () => PageDocument,
): { element: PageElement; way: Way; bodyLength: number } {
  const body = bodyOf(document);
  dropConsent(body);
  dropChrome(body);
  const bodyLength = textLength(body);
  if (bodyLength === 0) {
    // All of it has names of surroundings.
    const whole = bodyOf(again());
    dropUnseen(whole);
    return { element: whole, way: "body", bodyLength };
  }
  const main = findMainPart(body);
  return main === null
    ? { element: body, way: "body", bodyLength }
    : { element: main, way: "main", bodyLength };
}

function bodyOf(document: PageDocument): PageElement {
  return document.body ?? document.createElement("body");
}

/** Counts characters, several blanks as one. */
function textLength(element: PageElement | undefined): number {
  const text = element?.textContent ?? "";
  // Of a long text only little can be blank.
  return text.length > LONG_TEXT ? text.length : text.replace(/\s+/g, " ").trim().length;
}
