import type { PageElement, PageNode } from "../dom/node.ts";

const EXTRAS =
  /(^|[\s_-])(related|share|sharing|social|newsletter|promo|outbrain|taboola|comments|author-bio|tags|pagination|read-more|readmore|teaser|most-read|mostread|sponsored|subscribe|signup|advert)([\s_-]|$)/i;
const MAX_EXTRA = 0.3;
const MAX_LINKS = 0.85;
/** Link lists are taken away only in the last quarter. */
const LATE = 0.75;
const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "div", "section", "p"]);
const HEADINGS: ReadonlySet<string> = new Set(["h2", "h3", "h4", "h5", "h6", "strong", "p", "div"]);
const MAX_HEADING = 60;
const MORE_TO_READ =
  /^(related( (articles?|posts?|stories|topics?|content|links|reading))?|read (more|next|also|on)|see also|more (on this|stories|from .*|like this)|you (may|might) also (like|be interested in)|recommended( for you)?|most (read|popular|viewed)|further reading|also on .*|don't miss|share this.*|mehr zum thema|das könnte sie auch interessieren|lesen sie auch|weitere artikel|lire aussi|à lire aussi|sur le même (sujet|thème)|lea también|te puede interesar|noticias relacionadas|leggi anche|leia (também|mais)|lees ook|czytaj (też|także|również)|zobacz (też|także|również)|читайте также|см\. также|相关(文章|阅读|新闻|链接)|関連(記事|リンク)|관련기사)\s*[:.…»›]*$/i;

/**
 * Removes from an article what leads away from it: boxes named so, late lists of links, and short headings such as
 * "Read more" with the links that follow.
 */
export function pruneArticle(article: PageElement): void {
  const whole = article.textContent.length;
  if (whole === 0) return;
  dropExtras(article, whole);
  dropLinkBlocks(article, whole);
}

function dropExtras(article: PageElement, whole: number): void {
  for (const element of article.querySelectorAll("*")) {
    if (element.parentNode === null || element.attributes.length === 0) continue;
    if (!EXTRAS.test(`${element.className} ${element.id}`)) continue;
    if (element.localName === "article" || element.localName === "pre" || element.localName === "code") {
      continue;
    }
    if (element.textContent.length < MAX_EXTRA * whole) element.remove();
  }
}

function dropLinkBlocks(article: PageElement, whole: number): void {
  for (const heading of article.querySelectorAll([...HEADINGS].join(","))) {
    if (heading.parentNode === null || !isMoreToRead(heading)) continue;
    const block = nextElement(heading);
    if (block === null) {
      heading.remove();
    } else if (isLinks(block)) {
      block.remove();
      heading.remove();
    }
  }
  let seen = 0;
  for (const node of leavesOf(article)) {
    const { length } = node.textContent;
    const late = seen > LATE * whole;
    seen += length;
    if (!late || node.nodeType === 3 || !LISTS.has(node.localName)) continue;
    if (length < MAX_EXTRA * whole && node.querySelectorAll("a").length > 1 && isLinks(node)) node.remove();
  }
}

function isMoreToRead(element: PageElement): boolean {
  // Most are longer: their children tell it cheaply.
  if (element.children.length > 4) return false;
  const text = element.textContent.trim();
  return text.length > 0 && text.length <= MAX_HEADING && MORE_TO_READ.test(text);
}

function nextElement(element: PageElement): PageElement | null {
  return element.nextElementSibling ??
    (element.parentElement?.children.length === 1 ? element.parentElement.nextElementSibling : null);
}

function isLinks(element: PageElement): boolean {
  const all = textLength(element);
  if (all === 0) return false;
  const links = element.querySelectorAll("a").reduce((sum, link) => sum + textLength(link), 0);
  return links > MAX_LINKS * all;
}

function textLength(element: PageElement): number {
  return element.textContent.replace(/\s+/g, "").length;
}

/** The blocks of an article: goes into those that hold nearly everything. */
function leavesOf(article: PageElement): PageNode[] {
  let at = article;
  while (at.children.length === 1 && at.firstElementChild !== null) at = at.firstElementChild;
  return at.childNodes.flatMap((node) =>
    node.nodeType === 1 && node.children.length > 3 && !["ul", "ol", "p"].includes(node.localName)
      ? [...node.childNodes]
      : [node]
  );
}
