/** A regular expression as Python reads it, with the flags resolved in the parts that they change. */
export type Node =
  | { type: "char"; value: number; ignoreCase: boolean }
  | { type: "any"; dotAll: boolean }
  | Category
  | Property
  | { type: "class"; negated: boolean; items: readonly ClassItem[]; ignoreCase: boolean }
  | { type: "start" | "end"; multiline: boolean }
  | { type: "boundary"; negated: boolean; ascii: boolean }
  | { type: "reference"; group: number }
  | { type: "group"; body: Body; capture: Capture | null; letterCase: "ignore" | "keep" | null }
  | { type: "look"; behind: boolean; negated: boolean; body: Body }
  | { type: "atomic"; body: Body }
  | { type: "repeat"; node: Node; min: number; max: number; lazy: boolean };

/** The alternatives of a pattern or group. */
export type Body = readonly (readonly Node[])[];

/** A group whose match is remembered. */
export interface Capture {
  /** 1-based, in the order of the opening parentheses. */
  number: number;
  name: string | null;
}

/** `\w \W \d \D \s \S`. */
export interface Category {
  type: "category";
  letter: "w" | "d" | "s";
  negated: boolean;
  ascii: boolean;
}

/** `\p{…}` and `\P{…}` as JavaScript has them. */
export interface Property {
  type: "property";
  source: string;
}

/** What stands in a class: characters from `from` to `to`, or a category. */
export type ClassItem = { type: "range"; from: number; to: number } | Category | Property;

/** Flags that hold at one place of a pattern. */
export interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  ascii: boolean;
  verbose: boolean;
}

/** The characters of a pattern and the place of the reader in them. */
export class Cursor {
  readonly #chars: readonly string[];
  at = 0;

  constructor(source: string) {
    this.#chars = [...source];
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.#chars[this.at] ?? "";
  }

  get isAtEnd(): boolean {
    return this.at >= this.#chars.length;
  }

  /** Returns up to `count` of the next characters without passing them. */
  peek(count: number): string {
    return this.#chars.slice(this.at, this.at + count).join("");
  }

  /** Passes a text if it stands next. */
  skip(text: string): boolean {
    const length = [...text].length;
    if (this.peek(length) !== text) return false;
    this.at += length;
    return true;
  }

  take(): string {
    return this.#chars[this.at++] ?? "";
  }

  /** Passes at most `most` characters that fit. */
  takeWhile(fits: RegExp, most = Infinity): string {
    const start = this.at;
    while (this.at - start < most && !this.isAtEnd && fits.test(this.next)) this.at++;
    return this.#chars.slice(start, this.at).join("");
  }

  /** Passes everything before `end` and `end` itself; `null` if it is not there. */
  takeUntil(end: string): string | null {
    const stop = this.#chars.indexOf(end, this.at);
    if (stop < 0) return null;
    const text = this.#chars.slice(this.at, stop).join("");
    this.at = stop + 1;
    return text;
  }
}
