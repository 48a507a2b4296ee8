import type { PageDocument } from "./dom/document.ts";
import type { PageElement, PageNode } from "./dom/node.ts";
import { parsePage } from "./dom/parse_page.ts";
import { isHidden, isNoText } from "./article/strip.ts";

/** Least text of hidden blocks that may be the page, and how many times as long as what is shown it is. */
const LEAST_HIDDEN = 200;
const TIMES_SHOWN = 3;
/** Shorter blocks stay hidden. */
const LEAST_BLOCK = 40;
/** With more text than this, a page is no shell for data, whose length follows. */
const SHELL_CHARS = 200;
const LEAST_DATA = 1000;
const MAX_NAME = 60;

/** A page as a person sees it, and what is to be said about it. */
export interface ComposedPage {
  document: PageDocument;
  notes: string[];
}

/**
 * Reads a page and puts it together as browsers do: shadow trees that are written in it, and documents inside of frames.
 * Where it shows little and hides much, as pages do that send their text before the script that shows it, the hidden
 * blocks are a part of it.
 */
export function composePage(html: string, url: string): ComposedPage {
  const document = parsePage(html, url);
  const { body } = document;
  if (body === null) return { document, notes: [] };
  for (const frame of body.querySelectorAll("iframe")) openInnerPage(frame, document);
  for (const template of body.querySelectorAll("template")) openShadow(template, document);
  return { document, notes: revealHidden(body, document) };
}

function openInnerPage(frame: PageElement, document: PageDocument): void {
  const source = frame.getAttribute("srcdoc") ?? "";
  if (source.trim() === "") return;
  const inner = document.createElement("div");
  inner.innerHTML = source;
  frame.parentNode?.replaceChild(inner, frame);
}

/** What the host holds stands in the slots of its shadow tree, or is not shown. */
function openShadow(template: PageElement, document: PageDocument): void {
  const host = template.parentElement;
  if (host === null || !(template.hasAttribute("shadowrootmode") || template.hasAttribute("shadowroot"))) {
    return;
  }
  const shadow = document.createElement("div");
  moveInto(shadow, template);
  const slots = shadow.querySelectorAll("slot");
  const filled = new Set<PageElement>();
  for (const child of [...host.childNodes]) {
    if (child === template) continue;
    const name = child.nodeType === 1 ? child.getAttribute("slot") ?? "" : "";
    const slot = slots.find((slot) => (slot.getAttribute("name") ?? "") === name);
    if (!slot) continue;
    if (!filled.has(slot)) { for (const fallback of [...slot.childNodes]) fallback.remove(); }
    filled.add(slot);
    slot.appendChild(child);
  }
  host.replaceChild(shadow, template);
}

function revealHidden(body: PageElement, document: PageDocument): string[] {
  const blocks = namedTemplates(body, document);
  const shown = shownLength(body, blocks);
  const lengths = blocks.map((block) => lengthOf(block));
  const hidden = lengths.reduce((sum, length) => sum + length, 0);
  const isShell = shown === 0 ? hidden > 0 : hidden >= LEAST_HIDDEN && hidden > TIMES_SHOWN * shown;
  if (!isShell) return shown < SHELL_CHARS ? dataNotes(document) : [];
  const revealed = blocks.filter((_, index) => shown === 0 || lengths[index]! >= LEAST_BLOCK);
  for (const block of revealed) reveal(block, document);
  const count = revealed.length === 1 ? "1 hidden block" : `${revealed.length} hidden blocks`;
  return [
    `The page shows ${shown} characters; ${count} of ${hidden} characters, which its scripts may show, ` +
    `${revealed.length === 1 ? "was" : "were"} read too`,
  ];
}

/** Templates whose names stand in scripts, which move their content into the page. */
function namedTemplates(body: PageElement, document: PageDocument): PageElement[] {
  const templates = body.querySelectorAll("template").filter(({ id }) => id !== "");
  if (templates.length === 0) return [];
  const scripts = document.querySelectorAll("script").map((script) => script.textContent);
  return templates.filter(({ id }) => scripts.some((script) => script.includes(id)));
}

/** Counts what a person sees, and collects the outermost blocks that nobody sees. */
function shownLength(body: PageElement, blocks: PageElement[]): number {
  let shown = 0;
  const visit = (node: PageNode) => {
    if (node.nodeType === 3) shown += node.data.replace(/\s+/g, " ").trim().length;
    else if (node.localName === "noscript" || (isHidden(node) && !isNoText(node))) blocks.push(node);
    else if (!isNoText(node)) { for (const child of node.childNodes) visit(child); }
  };
  for (const child of body.childNodes) visit(child);
  return shown;
}

function lengthOf(block: PageElement): number {
  let length = 0;
  const visit = (node: PageNode) => {
    if (node.nodeType === 3) length += node.data.replace(/\s+/g, " ").trim().length;
    else if (!isNoText(node)) { for (const child of node.childNodes) visit(child); }
  };
  for (const child of block.childNodes) visit(child);
  return length;
}

function reveal(block: PageElement, document: PageDocument): void {
  if (block.localName === "noscript" || block.localName === "template") {
    const open = document.createElement("div");
    moveInto(open, block);
    block.parentNode?.replaceChild(open, block);
    return;
  }
  for (const name of ["hidden", "style", "aria-hidden"]) block.removeAttribute(name);
}

/** Names the data from which scripts would write the page. */
function dataNotes(document: PageDocument): string[] {
  const found = document.querySelectorAll("script").flatMap((script) => {
    const { length } = script.textContent;
    const isData = /json/i.test(script.getAttribute("type") ?? "");
    const [, variable] =
      /^[\s(]*(?:var |let |const )?(?:self|window|globalThis)\.([\w$]+)\s*(?:=[^=]|\.push\(|\|\|)/.exec(
        script.textContent.slice(0, 500),
      ) ?? [];
    if (length < LEAST_DATA || !(isData || variable)) return [];
    return [`${(script.id || variable || "JSON").slice(0, MAX_NAME)} (${length} characters)`];
  });
  if (found.length === 0) return [];
  return [
    `The page shows little text; its scripts have data, which the source of the page holds: ${
      found.slice(0, 5).join(", ")
    }`,
  ];
}

function moveInto(target: PageElement, from: PageElement): void {
  for (const child of [...from.childNodes]) target.appendChild(child);
}
