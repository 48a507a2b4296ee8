/** What a node costs that is looked at, in characters that are copied. */
export const VISIT_COST = 4;

/** Thrown when a page asks for more work than any real page does. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** An attribute. It is an object of its own because Readability copies such objects. */
export class PageAttribute {
  readonly name: string;
  value: string;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
  }

  /** Returns a copy. */
  cloneNode(): PageAttribute {
    return new PageAttribute(this.name, this.value);
  }
}

/** What nodes ask their document for. */
export interface Owner<Node> {
  /**
   * Counts work: nodes that were visited, characters that were copied.
   *
   * @throws {TooMuchWork} If it is too much for one page
   */
  spend(work: number): void;
  /** Names a new element, in small letters and in capitals: always the same strings, so that they compare fast. */
  names(name: string): readonly [small: string, capitals: string];
  /** Returns the name in small letters if an element of this name was made, or `*`; else `null`. */
  madeName(name: string): string | null;
  /** Writes what is inside of a node as HTML. */
  write(node: Node): string;
  /** Reads HTML into an empty node. */
  read(html: string, into: Node): void;
}
