import type { AST } from "@eslint-community/regexpp";

/** Texts that a regular expression tells about its matches. */
export interface RequiredLiterals {
  /** The pattern is just this text; `null` if it is more than that. */
  whole: string | null;
  /** The longest text that stands in every match; empty if there is none. */
  required: string;
}

const NONE: RequiredLiterals = { whole: null, required: "" };

/**
 * Finds the literal texts in a regular expression from its syntax tree. Alternatives, optional parts and what lookarounds
 * look at do not count; where case is ignored, only ASCII counts, which folds in no other way than A to a.
 */
export async function findLiterals(regex: RegExp): Promise<RequiredLiterals> {
  // With both flags, ASCII letters also match letters beyond ASCII, such as the Kelvin sign.
  if (regex.ignoreCase && regex.unicode) return NONE;
  const { RegExpParser } = await import("@eslint-community/regexpp");
  let tree: AST.Pattern;
  try {
    const options = { unicode: regex.unicode };
    tree = new RegExpParser().parsePattern(regex.source, 0, regex.source.length, options);
  } catch {
    return NONE;
  }
  const [only, ...others] = tree.alternatives;
  if (!only || others.length > 0) return NONE;
  const runs = new Runs(regex.ignoreCase ? "ascii" : "all");
  runs.addAll(only.elements);
  const isText = only.elements.length > 0 && only.elements.every((element) => element.type === "Character");
  return { whole: isText ? only.elements.map(textOf).join("") : null, required: runs.longest() };
}

function textOf(element: AST.Element): string {
  return element.type === "Character" ? String.fromCodePoint(element.value) : "";
}

/** Characters that follow each other in every match, gathered while walking the tree. */
class Runs {
  #done: string[] = [];
  #current = "";
  readonly #letters: "ascii" | "all";

  constructor(letters: "ascii" | "all") {
    this.#letters = letters;
  }

  addAll(elements: readonly AST.Element[]): void {
    for (const element of elements) this.#add(element);
  }

  longest(): string {
    this.#break();
    return this.#done.reduce((best, run) => run.length > best.length ? run : best, "");
  }

  #add(element: AST.Element): void {
    if (element.type === "Character") this.#addCharacter(element.value);
    else if (element.type === "Group" || element.type === "CapturingGroup") this.#addGroup(element);
    else if (element.type === "Quantifier") this.#addQuantifier(element);
    else if (element.type !== "Assertion") this.#break();
  }

  #addCharacter(value: number): void {
    const usable = this.#letters === "ascii" ? value < 0x80 : true;
    if (!usable || BROKEN_BY_DECODING.has(value)) this.#break();
    else this.#current += String.fromCodePoint(value);
  }

  #addGroup(group: AST.Group | AST.CapturingGroup): void {
    const [only, ...others] = group.alternatives;
    const modified = group.type === "Group" && group.modifiers !== null;
    if (only && others.length === 0 && !modified) this.addAll(only.elements);
    else this.#break();
  }

  #addQuantifier({ element, min, max }: AST.Quantifier): void {
    if (min === 0) return this.#break();
    this.#add(element);
    if (max > 1) this.#break();
  }

  #break(): void {
    if (this.#current !== "") this.#done.push(...this.#current.split(/\p{Surrogate}/u));
    this.#current = "";
  }
}

/** Line ends, the byte order mark and U+FFFD: the text of a line differs from its bytes there. */
const BROKEN_BY_DECODING: ReadonlySet<number> = new Set([0x0a, 0x0d, 0xfeff, 0xfffd]);
