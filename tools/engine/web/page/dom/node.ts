import { type Owner, PageAttribute, VISIT_COST } from "./owner.ts";

/** What may stand in an element. */
export type PageNode = PageElement | PageText;

/** What elements and texts have in common: a place in the tree. */
abstract class Linked {
  parentNode: Parent | null = null;
  previousSibling: PageNode | null = null;
  nextSibling: PageNode | null = null;
  ownerDocument: Owner<PageElement>;

  constructor(document: Owner<PageElement>) {
    this.ownerDocument = document;
  }

  get parentElement(): PageElement | null {
    return this.parentNode instanceof PageElement ? this.parentNode : null;
  }

  get nextElementSibling(): PageElement | null {
    let next = this.nextSibling;
    while (next?.nodeType === 3) next = next.nextSibling;
    return next;
  }

  get previousElementSibling(): PageElement | null {
    let before = this.previousSibling;
    while (before?.nodeType === 3) before = before.previousSibling;
    return before;
  }
}

const NONE: readonly PageNode[] = [];

/** Text between tags, entities decoded. */
export class PageText extends Linked {
  data: string;

  constructor(data: string, document: Owner<PageElement>) {
    super(document);
    this.data = data;
  }

  get nodeType(): 3 {
    return 3;
  }

  get nodeName(): string {
    return "#text";
  }

  get childNodes(): readonly PageNode[] {
    return NONE;
  }

  get textContent(): string {
    return this.data;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

/** What holds other nodes. Lists of children are made when they are asked for, and kept until something changes. */
export abstract class Parent extends Linked {
  firstChild: PageNode | null = null;
  lastChild: PageNode | null = null;
  #nodes: PageNode[] | null = null;
  #elements: PageElement[] | null = null;

  /** All children, as they are now. */
  get childNodes(): readonly PageNode[] {
    if (this.#nodes === null) {
      this.#nodes = [];
      for (let node = this.firstChild; node !== null; node = node.nextSibling) this.#nodes.push(node);
      this.ownerDocument.spend(this.#nodes.length);
    }
    return this.#nodes;
  }

  /** All children that are elements, as they are now. */
  get children(): readonly PageElement[] {
    this.#elements ??= this.childNodes.filter((node) => node.nodeType === 1);
    return this.#elements;
  }

  get firstElementChild(): PageElement | null {
    const first = this.firstChild;
    return first?.nodeType === 3 ? first.nextElementSibling : first;
  }

  get lastElementChild(): PageElement | null {
    const last = this.lastChild;
    return last?.nodeType === 3 ? last.previousElementSibling : last;
  }

  appendChild<N extends PageNode>(node: N): N {
    return this.insertBefore(node, null);
  }

  /** Puts a node before a child, or at the end. The node leaves its old place. */
  insertBefore<N extends PageNode>(node: N, before: PageNode | null): N {
    if (node === before) return node;
    node.parentNode?.removeChild(node);
    const previous = before === null ? this.lastChild : before.previousSibling;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = before;
    if (previous === null) this.firstChild = node;
    else previous.nextSibling = node;
    if (before === null) this.lastChild = node;
    else before.previousSibling = node;
    this.#changed();
    return node;
  }

  removeChild<N extends PageNode>(node: N): N {
    const { previousSibling: previous, nextSibling: next } = node;
    if (previous === null) this.firstChild = next;
    else previous.nextSibling = next;
    if (next === null) this.lastChild = previous;
    else next.previousSibling = previous;
    node.parentNode = node.previousSibling = node.nextSibling = null;
    this.#changed();
    return node;
  }

  replaceChild<N extends PageNode>(node: PageNode, old: N): N {
    this.insertBefore(node, old);
    return this.removeChild(old);
  }

  /** The text of all that is inside. */
  get textContent(): string {
    let text = "";
    let visited = 0;
    for (let node = this.firstChild; node !== null; node = following(node, this)) {
      visited++;
      if (node.nodeType === 3) text += node.data;
    }
    this.ownerDocument.spend(VISIT_COST * visited + text.length);
    return text;
  }

  /** Returns the elements of this name; `*` for all. */
  getElementsByTagName(name: string): PageElement[] {
    return this.querySelectorAll(name);
  }

  /** Returns the elements of these names, parted by commas. It knows no other selectors. */
  querySelectorAll(names: string): PageElement[] {
    // Most of the names that Readability asks for are nowhere in the page.
    const wanted = new Set(names.split(",").map((name) => this.ownerDocument.madeName(name.trim())));
    wanted.delete(null);
    if (wanted.size === 0) return [];
    const [only] = wanted.size === 1 ? wanted : [];
    const all = wanted.has("*");
    const found: PageElement[] = [];
    let visited = 0;
    for (let node = this.firstChild; node !== null; node = following(node, this)) {
      visited++;
      if (node.nodeType === 3) continue;
      if (all || (only === undefined ? wanted.has(node.localName) : node.localName === only)) {
        found.push(node);
      }
    }
    this.ownerDocument.spend(VISIT_COST * visited);
    return found;
  }

  #changed(): void {
    this.#nodes = this.#elements = null;
  }
}

/** An element. Its interface is what Readability needs of the one that browsers have. */
export class PageElement extends Parent {
  readonly localName: string;
  /** The name in capitals. */
  readonly tagName: string;
  attributes: PageAttribute[];
  /** What Readability notes about it. */
  readability: unknown = undefined;

  constructor(name: string, document: Owner<PageElement>, attributes: PageAttribute[] = []) {
    super(document);
    [this.localName, this.tagName] = document.names(name);
    this.attributes = attributes;
  }

  get nodeType(): 1 {
    return 1;
  }

  get nodeName(): string {
    return this.tagName;
  }

  override get textContent(): string {
    return super.textContent;
  }

  override set textContent(text: string) {
    this.#empty();
    if (text !== "") this.appendChild(new PageText(text, this.ownerDocument));
  }

  get innerHTML(): string {
    return this.ownerDocument.write(this);
  }

  set innerHTML(html: string) {
    this.#empty();
    this.ownerDocument.read(html, this);
  }

  getAttribute(name: string): string | null {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value;
    return null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  setAttribute(name: string, value: string): void {
    this.setAttributeNode(new PageAttribute(name, value));
  }

  setAttributeNode(given: PageAttribute): void {
    const at = this.attributes.findIndex(({ name }) => name === given.name);
    if (at < 0) this.attributes.push(given);
    else this.attributes[at] = given;
  }

  removeAttribute(name: string): void {
    this.attributes = this.attributes.filter((attribute) => attribute.name !== name);
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  get id(): string {
    return this.getAttribute("id") ?? "";
  }

  set id(value: string) {
    this.setAttribute("id", value);
  }

  get className(): string {
    return this.getAttribute("class") ?? "";
  }

  set className(value: string) {
    this.setAttribute("class", value);
  }

  get src(): string {
    return this.getAttribute("src") ?? "";
  }

  get srcset(): string {
    return this.getAttribute("srcset") ?? "";
  }

  /** The two properties of the `style` attribute that can hide an element. */
  get style(): { display: string; visibility: string } {
    const style = this.getAttribute("style") ?? "";
    const valueOf = (pattern: RegExp) => style === "" ? "" : pattern.exec(style)?.[1]?.toLowerCase() ?? "";
    return { display: valueOf(DISPLAY), visibility: valueOf(VISIBILITY) };
  }

  #empty(): void {
    while (this.firstChild !== null) this.removeChild(this.firstChild);
  }
}

const DISPLAY = /(?:^|;)\s*display\s*:\s*([\w-]+)/i;
const VISIBILITY = /(?:^|;)\s*visibility\s*:\s*([\w-]+)/i;

/**
 * Returns the node after this one in the order of the page, `null` at the end of `root`.
 *
 * @param skip Leaves out what is inside of the node
 */
export function following(node: PageNode, root: Parent, skip = false): PageNode | null {
  if (!skip && node.nodeType === 1 && node.firstChild !== null) return node.firstChild;
  let at: PageNode = node;
  while (at.nextSibling === null) {
    const above: Parent | null = at.parentNode;
    if (above === root || !(above instanceof PageElement)) return null;
    at = above;
  }
  return at.nextSibling;
}
