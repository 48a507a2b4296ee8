import { Parser } from "htmlparser2";

import { PageDocument } from "./document.ts";
import { PageElement, type PageNode, PageText } from "./node.ts";
import { PageAttribute } from "./owner.ts";
import { writeHtml } from "./write_html.ts";

/** Real pages have up to 25,000 elements a megabyte, 40 deep. */
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 48;
/** Longer values are pictures and data of scripts. */
const MAX_VALUE = 20_000;
/** Pieces of one text that are joined at once: each piece costs much more than its characters. */
const PIECES = 4096;

/** What stands in the head of a page, also where the page does not say where its body begins. */
const IN_HEAD: ReadonlySet<string> = new Set(
  ["title", "meta", "link", "base", "script", "style", "noscript", "template"],
);

/**
 * Reads HTML as a page with exactly one `html`, `head` and `body`. It never fails: what is too deep becomes less
 * deep, and what is beyond 100,000 elements is left out.
 *
 * @param url Where the page came from; relative links start there, or at its `<base>`
 */
export function parsePage(html: string, url: string): PageDocument {
  const document = new PageDocument(url, { write: writeHtml, read: parseInto });
  const root = document.createElement("html");
  parseInto(html, root, document);
  document.appendChild(root);
  document.elementCount = root.querySelectorAll("*").length;
  putInOrder(root, document);
  const base = document.head?.querySelectorAll("base").find((element) => element.hasAttribute("href"));
  document.baseURI = URL.parse(base?.getAttribute("href") ?? "", url)?.href ?? url;
  return document;
}

/** Thrown to leave the parser. */
class Enough extends Error {}

/**
 * The names of open elements as htmlparser2 keeps them, innermost first. It goes through all of them at each tag, so it
 * gets no more than it needs. A class of its own for that would make the array a hundred times slower.
 */
function shallowStack(): string[] {
  const stack: string[] = [];
  stack.unshift = (name) =>
    stack.length < MAX_DEPTH ? Array.prototype.unshift.call(stack, name) : stack.length;
  return stack;
}

function parseInto(html: string, into: PageElement, document: PageDocument): void {
  const stack = shallowStack();
  const text = collectText(document);
  let depth = 0;
  let count = 0;
  let at: PageElement = into;
  const parser = new Parser({
    onopentag(name, attributes) {
      text.endIn(at);
      if (++count > MAX_ELEMENTS) throw new Enough();
      const element = new PageElement(name, document, attributesOf(attributes));
      at.appendChild(element);
      // Elements without content, and those that are too deep, are not on the stack.
      if (stack.length <= depth) return;
      depth++;
      at = element;
    },
    onclosetag() {
      if (stack.length >= depth) return;
      text.endIn(at);
      depth--;
      at = at.parentElement ?? into;
    },
    ontext: (piece) => text.add(piece),
  });
  Object.assign(parser, { stack });
  try {
    parser.end(html);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    document.isCut = true;
  }
  text.endIn(at);
}

function attributesOf(given: Readonly<Record<string, string>>): PageAttribute[] {
  const attributes: PageAttribute[] = [];
  for (const name in given) {
    if (attributes.length === MAX_ATTRIBUTES) break;
    const value = given[name] ?? "";
    attributes.push(
      new PageAttribute(
        name,
        value.length > MAX_VALUE && name !== "content" && name !== "srcdoc" ? "" : value,
      ),
    );
  }
  return attributes;
}

/** Puts the pieces of a text together, in little memory also if there are millions of them. */
function collectText(document: PageDocument) {
  let pieces: string[] = [];
  let chunks: string[] = [];
  return {
    add(piece: string): void {
      if (pieces.push(piece) < PIECES) return;
      chunks.push(pieces.join(""));
      pieces = [];
    },
    /** Ends the text, as the last child of an element. */
    endIn(element: PageElement): void {
      if (pieces.length + chunks.length === 0) return;
      const [only = ""] = pieces;
      const data = chunks.length === 0 && pieces.length === 1 ? only : [...chunks, ...pieces].join("");
      element.appendChild(new PageText(data, document));
      pieces = [];
      chunks = [];
    },
  };
}

/** Gives the page one head and one body. Pages have none, several, or unclosed ones that hold each other. */
function putInOrder(root: PageElement, document: PageDocument): void {
  for (const inner of root.querySelectorAll("html")) unwrap(inner, root);
  const [head = document.createElement("head"), ...heads] = root.querySelectorAll("head");
  const [body = document.createElement("body"), ...bodies] = root.querySelectorAll("body");
  // They would count as a second page.
  for (const extra of [...heads, ...bodies]) unwrap(extra, root);
  // An unclosed head holds the body.
  if (head.parentNode !== null && body.parentNode !== root) root.insertBefore(body, head.nextSibling);
  const before = body.firstChild;
  let isInHead = true;
  for (const node of head.childNodes) {
    isInHead &&= isForHead(node);
    if (!isInHead) body.insertBefore(node, before);
  }
  let isAfter = false;
  for (const node of root.childNodes) {
    if (node === body) isAfter = true;
    if (node === body || node === head) continue;
    isInHead &&= !isAfter && isForHead(node);
    if (isInHead) head.appendChild(node);
    else body.insertBefore(node, isAfter ? null : before);
  }
  root.insertBefore(head, root.firstChild);
  root.appendChild(body);
}

function isForHead(node: PageNode): boolean {
  return node.nodeType === 3 ? node.data.trim() === "" : IN_HEAD.has(node.localName);
}

/** Puts what an element holds in its place; the page keeps its attributes. */
function unwrap(inner: PageElement, root: PageElement): void {
  for (const attribute of inner.attributes) {
    if (!root.hasAttribute(attribute.name)) root.setAttributeNode(attribute);
  }
  while (inner.firstChild !== null) inner.parentNode?.insertBefore(inner.firstChild, inner);
  inner.remove();
}
