import { following, type PageElement, type PageNode } from "../dom/node.ts";

/** Elements around an article, and what is no text. */
const CHROME: ReadonlySet<string> = new Set(
  "nav header footer aside form button script style iframe svg noscript template dialog".split(" "),
);
/** What no reader of the page sees. */
const UNSEEN: ReadonlySet<string> = new Set(
  "script style template head link meta iframe object embed svg canvas".split(" "),
);
const CHROME_ROLES: ReadonlySet<string> = new Set(
  "navigation banner contentinfo complementary search dialog alertdialog menu menubar".split(" "),
);
/** Never removed: pages give them any class. */
const KEPT: ReadonlySet<string> = new Set(["html", "body", "main", "article"]);
const CHROME_WORDS =
  /(^|[\s_-])(nav|navbar|menu|sidebar|footer|breadcrumbs?|share|sharing|social|related|recommend(ed|ations)?|promo|advert|ads|banner|comments?|pager|pagination|tags|widget|teaser|popup|modal|subscribe|newsletter|login|search)([\s_-]|$)/i;
/** Boxes that lie over a page or beside its content. */
const BOXES = /(^|[\s_-])(banner|newsletter|modal|popup|overlay|subscribe|signup|paywall)([\s_-]|$)/i;
/** Least text of a part that is named as the content, beside its heading. */
const LEAST_MAIN = 5;
const NO_TEXT: ReadonlySet<string> = new Set(
  "script style template head link meta iframe object embed svg canvas noscript title".split(" "),
);
const CONSENT = /cookie|consent|gdpr|cmp-|onetrust|eucookielaw/i;
const MAX_CONSENT = 3000;
/** Share of the page's text above which a part is no bar, whatever its name. */
const MAX_CONSENT_PART = 0.5;

/**
 * Removes bars that ask about cookies: they were taken for the article. Beside a part that the page names as its content,
 * they and other boxes are removed whatever their length.
 */
export function dropConsent(body: PageElement): void {
  let whole: number | null = null;
  const mains = body.querySelectorAll("*").filter(isMain);
  const around = new Set(mains.flatMap(selfAndAbove));
  removeAll(body, (element) => {
    if (KEPT.has(element.localName) || around.has(element)) return false;
    const names = namesOf(element);
    const isConsent = CONSENT.test(names);
    if (mains.length > 0 && (isConsent || BOXES.test(names)) && !isInside(element, mains)) return true;
    if (!isConsent) return false;
    const { length } = element.textContent;
    whole ??= body.textContent.length;
    return length < MAX_CONSENT && length < MAX_CONSENT_PART * whole;
  });
}

/** Says whether more than half of a text is in bars that ask about cookies. */
export function isMostlyConsent(root: PageElement): boolean {
  let consent = 0;
  let node: PageNode | null = root.firstChild;
  while (node !== null) {
    const isBar = node.nodeType === 1 && CONSENT.test(namesOf(node));
    if (isBar) consent += node.textContent.length;
    node = following(node, root, isBar);
  }
  return consent > MAX_CONSENT_PART * root.textContent.length;
}

/** A part that is named as the content and holds some text; of an article, also a heading. */
function isMain(element: PageElement): boolean {
  const isPart = element.localName === "main" || element.getAttribute("role") === "main";
  if (!isPart && element.localName !== "article") return false;
  const [heading] = element.querySelectorAll("h1,h2,h3");
  if (!isPart && heading === undefined) return false;
  return element.textContent.trim().length > LEAST_MAIN + (heading?.textContent.trim().length ?? 0);
}

function selfAndAbove(element: PageElement): PageElement[] {
  const found: PageElement[] = [];
  for (let at: PageElement | null = element; at !== null; at = at.parentElement) found.push(at);
  return found;
}

function isInside(element: PageElement, mains: readonly PageElement[]): boolean {
  return selfAndAbove(element).some((above) => mains.includes(above));
}

/** Says whether an element has nothing to read, seen or not. */
export function isNoText(element: PageElement): boolean {
  return NO_TEXT.has(element.localName);
}

/** Removes what stands around an article: navigation, forms, advertisements, and what is hidden. */
export function dropChrome(body: PageElement): void {
  removeAll(body, (element) => {
    const { localName } = element;
    if (KEPT.has(localName)) return false;
    if (localName === "header" && isInArticle(element)) return false;
    return CHROME.has(localName) || isHidden(element) ||
      CHROME_ROLES.has(element.getAttribute("role") ?? "") ||
      CHROME_WORDS.test(namesOf(element));
  });
}

/** Removes only what nobody sees. */
export function dropUnseen(body: PageElement): void {
  removeAll(body, (element) => UNSEEN.has(element.localName) || isHidden(element));
}

export function isHidden(element: PageElement): boolean {
  if (element.attributes.length === 0) return false;
  const { display, visibility } = element.style;
  return element.hasAttribute("hidden") || element.getAttribute("aria-hidden") === "true" ||
    display === "none" ||
    visibility === "hidden";
}

function isInArticle(element: PageElement): boolean {
  for (let above = element.parentElement; above !== null; above = above.parentElement) {
    if (above.localName === "article") return true;
  }
  return false;
}

function namesOf(element: PageElement): string {
  return element.attributes.length === 0 ? "" : `${element.className} ${element.id}`;
}

/** Removes all elements of a kind, with what they hold. */
function removeAll(root: PageElement, isUnwanted: (element: PageElement) => boolean): void {
  let node: PageNode | null = root.firstChild;
  while (node !== null) {
    const unwanted = node.nodeType === 1 && isUnwanted(node);
    const next = following(node, root, unwanted);
    if (unwanted) node.remove();
    node = next;
  }
}
