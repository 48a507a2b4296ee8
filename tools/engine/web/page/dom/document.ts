import { PageElement, PageText, Parent } from "./node.ts";
import { type Owner, TooMuchWork } from "./owner.ts";

/** Longest title, in UTF-16 units. */
const MAX_TITLE = 5000;

/** What a character costs that is read again: Readability keeps the trees that it has given up. */
const READ_COST = 4;

/** How a document reads and writes HTML. */
export type Markup = Pick<Owner<PageElement>, "write"> & {
  read(html: string, into: PageElement, document: PageDocument): void;
};

/** The owner of a document until it is made: then it is its own. */
const NOBODY: Owner<PageElement> = {
  spend() {},
  names: (name) => [name, name],
  madeName: (name) => name,
  write: () => "",
  read() {},
};

/** A page as a tree: what Readability, the search for an article and the writer of Markdown work on. */
export class PageDocument extends Parent implements Owner<PageElement> {
  /** Where relative links start. */
  baseURI: string;
  /** Where the page came from. */
  readonly documentURI: string;
  /** How many elements the page had when it was read. */
  elementCount = 0;
  /** The page had more elements than are read. */
  isCut = false;
  readonly #markup: Markup;
  readonly #names = new Map<string, readonly [string, string]>();
  #workLeft = Infinity;

  constructor(url: string, markup: Markup) {
    super(NOBODY);
    this.ownerDocument = this;
    this.baseURI = this.documentURI = url;
    this.#markup = markup;
  }

  get nodeType(): 9 {
    return 9;
  }

  /** Sets how much work may still be done. */
  allow(work: number): void {
    this.#workLeft = work;
  }

  spend(work: number): void {
    this.#workLeft -= work;
    if (this.#workLeft < 0) throw new TooMuchWork("the page asks for too much work");
  }

  names(name: string): readonly [string, string] {
    let known = this.#names.get(name);
    if (known === undefined) {
      const small = name.toLowerCase();
      // Keys of objects are kept once for all.
      known = [Object.keys({ [small]: 0 })[0] ?? small, small.toUpperCase()];
      this.#names.set(name, known);
      this.#names.set(small, known);
    }
    return known;
  }

  madeName(name: string): string | null {
    return name === "*" ? name : this.#names.get(name.toLowerCase())?.[0] ?? null;
  }

  write(node: PageElement): string {
    // Readability writes the article that it has found, for a log that nobody reads.
    if (node.parentNode === null) return "";
    const html = this.#markup.write(node);
    this.spend(html.length);
    return html;
  }

  read(html: string, into: PageElement): void {
    this.spend(READ_COST * html.length);
    this.#markup.read(html, into, this);
  }

  /** Takes everything away. */
  empty(): void {
    while (this.firstChild !== null) this.removeChild(this.firstChild);
  }

  createElement(name: string): PageElement {
    return new PageElement(name, this);
  }

  createTextNode(data: string): PageText {
    return new PageText(data, this);
  }

  /** The element `html`; a page that was read has one. */
  get documentElement(): PageElement | null {
    return this.firstElementChild;
  }

  get head(): PageElement | null {
    return this.#named("head");
  }

  get body(): PageElement | null {
    return this.#named("body");
  }

  /** The beginning of the page's title, blanks as they are. */
  get title(): string {
    return (this.head?.querySelectorAll("title")[0]?.textContent ?? "").slice(0, MAX_TITLE);
  }

  /** Work that may still be done. */
  get workLeft(): number {
    return this.#workLeft;
  }

  #named(name: string): PageElement | null {
    const { documentElement } = this;
    return documentElement?.children.find(({ localName }) => localName === name) ?? null;
  }
}
