import { following, type PageElement, type PageNode } from "../dom/node.ts";

const NAMED_CLASS =
  /(?:^|\s)(?:entry|post|article|page|story|blog|single|recipe)[-_]?(?:content|body|text|main)(?:\s|$)/i;
const NAMED_ID =
  /^(?:content|main|main-content|article|article-body|post|story|bodyContent|mw-content-text)$/i;
const PARAGRAPHS: ReadonlySet<string> = new Set(["p", "li", "pre", "td", "blockquote", "dd"]);
/** What is in them counts elsewhere, or not at all. */
const APART: ReadonlySet<string> = new Set(["a", "ul", "ol", "table", "div"]);
/** Shorter paragraphs are labels. */
const MIN_PARAGRAPH = 30;
const MIN_PART = 0.4;
const MIN_CHARS = 80;
const NEARLY = 0.9;

/**
 * Returns the smallest part of the page that is named as its content and holds nearly all of the text, `null` if no
 * part holds enough.
 */
export function findMainPart(body: PageElement): PageElement | null {
  const texts = paragraphTexts(body);
  const textOf = (element: PageElement) => texts.get(element) ?? 0;
  const named = body.querySelectorAll("*").filter(isNamed);
  const most = named.reduce((most, element) => Math.max(most, textOf(element)), 0);
  if (most < MIN_CHARS || most < MIN_PART * textOf(body)) return null;
  let best: { element: PageElement; length: number } | null = null;
  for (const element of named.filter((element) => textOf(element) >= NEARLY * most).slice(0, 50)) {
    const { length } = element.textContent;
    if (best === null || length < best.length) best = { element, length };
  }
  return best?.element ?? null;
}

function isNamed(element: PageElement): boolean {
  const { localName, className, id } = element;
  return localName === "article" || localName === "main" || NAMED_ID.test(id) ||
    NAMED_CLASS.test(className) ||
    element.getAttribute("role") === "main" || element.getAttribute("itemprop") === "articleBody";
}

/** Counts the text in paragraphs, links apart, of each element; from the last one up, so that each is asked once. */
function paragraphTexts(body: PageElement): Map<PageElement, number> {
  const elements: PageElement[] = [];
  for (let node: PageNode | null = body.firstChild; node !== null; node = following(node, body)) {
    if (node.nodeType !== 3) elements.push(node);
  }
  const texts = new Map<PageElement, number>();
  const add = (element: PageElement, length: number) =>
    texts.set(element, (texts.get(element) ?? 0) + length);
  for (const element of elements.reverse()) {
    const own = PARAGRAPHS.has(element.localName) ? ownText(element) : 0;
    if (own > MIN_PARAGRAPH) add(element, own);
    const all = texts.get(element);
    if (all !== undefined && element.parentElement !== null) add(element.parentElement, all);
  }
  return texts;
}

/** What lies in a paragraph of its own counts there. */
function ownText(element: PageElement): number {
  let length = 0;
  for (const child of element.childNodes) {
    const isApart = child.nodeType !== 3 && (APART.has(child.localName) || PARAGRAPHS.has(child.localName));
    if (!isApart) length += child.textContent.trim().length;
  }
  return length;
}
