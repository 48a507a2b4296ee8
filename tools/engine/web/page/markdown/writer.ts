import type { PageElement, PageNode } from "../dom/node.ts";

/** What the parts of the writer share. */
export interface Writer {
  /** Writes what is inside of a node as one run of text; blanks at both ends are kept as one. */
  inline(node: PageElement): string;
  /** Writes nodes that follow each other as one run of text. */
  run(nodes: readonly PageNode[]): string;
  /** Writes what is inside of an element as blocks: paragraphs, headings, lists and so on. */
  blocks(element: PageElement): string[];
  /** Says whether an element is or holds something that begins a new line. */
  isBlock(element: PageElement): boolean;
  /** Returns the full URL; `null` for what leads nowhere else: places in this page, scripts, data. */
  address(url: string | null): string | null;
  /** Returns as much of a text as may still be written. */
  take(text: string): string;
  /** How deep the current block is in lists and quotes. */
  depth: number;
}

/** Deeper lists and quotes are written at this depth: each level repeats its mark on all lines. */
export const MAX_LIST_DEPTH = 12;

const BLOCKS: ReadonlySet<string> = new Set(
  ("address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary " +
    "table tbody td tfoot th thead tr ul").split(" "),
);
const SKIPPED: ReadonlySet<string> = new Set(
  ("script style noscript template head title meta link object embed svg canvas map select datalist option textarea " +
    "button input progress meter rp param source track base").split(" "),
);
const HIDDEN_CLASS =
  /(?:^|\s)(?:katex-html|MathJax_Preview|sr-only|screen-reader-text|visually-hidden|mw-editsection|headerlink)(?:\s|$)/;

/** Elements that begin a new line. */
export function isBlockName(name: string): boolean {
  return BLOCKS.has(name);
}

/** Says whether an element has nothing to read. */
export function isSkipped(element: PageElement): boolean {
  return SKIPPED.has(element.localName) ||
    (element.attributes.length > 0 && HIDDEN_CLASS.test(element.className));
}

/** Returns `isBlock` of a {@linkcode Writer}. It remembers: otherwise each level would look through all below it. */
export function blockTest(): (element: PageElement) => boolean {
  const known = new WeakMap<PageElement, boolean>();
  const isBlock = (element: PageElement): boolean => {
    if (BLOCKS.has(element.localName)) return true;
    const before = known.get(element);
    if (before !== undefined) return before;
    let found = false;
    for (let child = element.firstElementChild; child !== null && !found; child = child.nextElementSibling) {
      found = !isSkipped(child) && isBlock(child);
    }
    known.set(element, found);
    return found;
  };
  return isBlock;
}
