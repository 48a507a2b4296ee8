import { isObject } from "../../../schemas/json/shape.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import type { Listed } from "./pin_store.ts";

/** Something that is kept from the client. */
export interface RefusedEntry {
  name: string;
  /** As a part of a sentence whose subject is the tool or the prompt. */
  why: string;
}

/** What of a list goes on to the client. */
export interface CheckedList {
  passed: readonly unknown[];
  refused: readonly RefusedEntry[];
}

/** Which page of a list it is. */
export interface ListPage {
  /** The first one. */
  begins: boolean;
  /** The last one. */
  ends: boolean;
}

const TWICE = "has the name of another one";
/** What no model reads. */
const UNREAD = ["_meta", "icons"];

/** One list of a server, its tools or its prompts, held to what it was when it was first asked for. */
export class ListPins {
  readonly #names: RegExp;
  readonly #pinned: Map<string, string>;
  readonly #isFirst: boolean;
  /** What the server says now, page by page. */
  readonly #seen = new Map<string, unknown>();
  /** Their names in small letters. */
  readonly #taken = new Set<string>();
  /** The same, of the last list that came to its end. */
  #whole: Listed | undefined;
  readonly #refused = new Map<string, string>();
  #isBegun = false;

  /**
   * @param kept What was accepted; `undefined` for a list that was never asked for
   * @param names What a name may be
   */
  constructor(kept: Listed | undefined, names: RegExp) {
    this.#names = names;
    this.#isFirst = kept === undefined;
    this.#pinned = new Map(kept?.map(([name, entry]) => [name, canonicalJson(entry)]));
  }

  /** The first list is not whole yet: what it holds is accepted as it comes. */
  get isOpen(): boolean {
    return this.#isFirst && this.#whole === undefined;
  }

  /** What is accepted; `undefined` if the list was never asked for. */
  get pinned(): Listed | undefined {
    if (this.#isFirst && !this.#isBegun) return undefined;
    return [...this.#pinned].map(([name, entry]) => [name, JSON.parse(entry)]);
  }

  /** What the server said last. */
  get seen(): Listed | undefined {
    return this.#whole ?? this.pinned;
  }

  /** The server says something that was not accepted. What is gone is no matter. */
  get isOther(): boolean {
    return this.#whole?.some(([name, entry]) => this.#pinned.get(name) !== canonicalJson(entry)) ?? false;
  }

  /** Why an entry is refused, `null` if it is not. */
  refusal(name: string): string | null {
    const why = this.#refused.get(name);
    if (why !== undefined) return why;
    return this.#pinned.has(name) || this.isOpen ? null : "is not among those that were accepted";
  }

  /** Checks a page. */
  check(entries: readonly unknown[], { begins, ends }: ListPage): CheckedList {
    this.#isBegun = true;
    if (begins) {
      this.#seen.clear();
      this.#taken.clear();
    }
    const passed: unknown[] = [];
    const refused: RefusedEntry[] = [];
    for (const entry of entries) {
      const found = this.#checkOne(entry);
      if (found === null) {
        passed.push(entry);
        this.#refused.delete((entry as { name: string }).name);
      } else {
        refused.push(found);
        if (found.why !== TWICE || !this.#seen.has(found.name)) this.#refused.set(found.name, found.why);
      }
    }
    if (ends) this.#whole = [...this.#seen];
    return { passed, refused };
  }

  #checkOne(entry: unknown): RefusedEntry | null {
    const name = isObject(entry) && typeof entry.name === "string" ? entry.name : "";
    if (!this.#names.test(name)) return { name, why: "has no name that is allowed" };
    if (this.#taken.has(name.toLowerCase())) return { name, why: TWICE };
    this.#taken.add(name.toLowerCase());
    const told = Object.fromEntries(Object.entries(entry as object).filter(([key]) => !UNREAD.includes(key)));
    this.#seen.set(name, told);
    const before = this.#pinned.get(name);
    const now = canonicalJson(told);
    if (before === now) return null;
    if (before !== undefined) return { name, why: "is described in another way than when it was accepted" };
    if (!this.isOpen) return { name, why: "is new since the others were accepted" };
    this.#pinned.set(name, now);
    return null;
  }
}
