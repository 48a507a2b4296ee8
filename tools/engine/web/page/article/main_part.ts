import { following, type PageElement, type PageNode } from "../dom/node.ts";

const NAMED_CLASS =
  /(?:^|\s)(?:entry|post|article|page|story|blog|single|recipe)[-_]?(?:content|body|text|main)(?:\s|$)/i;
const NAMED_ID =
  /^(?:content|main|main-content|article|article-body|post|story|bodyContent|mw-content-text)$/i;
const PARAGRAPHS: ReadonlySet<string> = new Set(["p", "li", "pre", "td", "blockquote", "dd"]);
const OWN: ReadonlySet<string> = new Set(["a", "p", "ul", "ol", "table", "div", "li"]);
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

/** Counts the text in paragraphs, links apart, of each element; in one pass. */
function paragraphTexts(body: PageElement): Map<PageElement, number> {
  const texts = new Map<PageElement, number>();
  for (let node: PageNode | null = body.firstChild; node !== null; node = following(node, body)) {
    if (node.nodeType === 3 || !PARAGRAPHS.has(node.localName)) continue;
    const own = ownText(node);
    if (own <= MIN_PARAGRAPH) continue;
    for (let above: PageElement | null = node; above !== null; above = above.parentElement) {
      texts.set(above, (texts.get(above) ?? 0) + own);
      if (above === body) break;
    }
  }
  return texts;
}

function ownText(element: PageElement): number {
  let length = 0;
  for (const child of element.childNodes) {
    if (child.nodeType === 3 || !OWN.has(child.localName)) length += child.textContent.trim().length;
  }
  return length;
}
