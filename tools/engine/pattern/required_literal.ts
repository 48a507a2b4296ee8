import type { AST } from "@eslint-community/regexpp";

/** Texts that a regular expression tells about its matches. */
export interface RequiredLiterals {
  /** The pattern is just this text; `null` if it is more than that. */
  whole: string | null;
  /** One of these texts stands in every match; empty if no such text is known. */
  required: readonly string[];
}

/** With more texts than this, searching for each costs more than it saves. */
const MAX_REQUIRED = 8;

const NONE: RequiredLiterals = { whole: null, required: [] };

/**
 * Finds the literal texts in a regular expression from its syntax tree. Optional parts and lookarounds do not
 * count. If case is ignored, only ASCII counts: it folds only from A to a.
 */
export async function findLiterals(regex: RegExp): Promise<RequiredLiterals> {
  // With both flags, ASCII letters also match letters beyond ASCII, such as the Kelvin sign.
  if (regex.ignoreCase && regex.unicodeSets) return NONE;
  const { RegExpParser } = await import("@eslint-community/regexpp");
  let tree: AST.Pattern;
  try {
    const options = { unicodeSets: regex.unicodeSets };
    tree = new RegExpParser().parsePattern(regex.source, 0, regex.source.length, options);
  } catch {
    return NONE;
  }
  const required = textsOfAny(tree.alternatives, regex.ignoreCase ? "ascii" : "all") ?? [];
  return { whole: textOfAll(tree.alternatives), required };
}

function textOfAll([only, ...others]: readonly AST.Alternative[]): string | null {
  if (!only || others.length > 0 || only.elements.length === 0) return null;
  const texts = only.elements.map((element) =>
    element.type === "Character" ? String.fromCodePoint(element.value) : null
  );
  return texts.includes(null) ? null : texts.join("");
}

type Letters = "ascii" | "all";

/** Every alternative must tell a text: then a match holds one of them. */
function textsOfAny(alternatives: readonly AST.Alternative[], letters: Letters): string[] | null {
  const texts: string[] = [];
  for (const { elements } of alternatives) {
    const runs = new Runs(letters);
    runs.addAll(elements);
    const best = runs.best();
    if (!best) return null;
    texts.push(...best);
    if (texts.length > MAX_REQUIRED) return null;
  }
  return texts;
}

/** Characters that follow each other in every match, gathered while walking the tree. */
class Runs {
  #candidates: string[][] = [];
  #current = "";
  readonly #letters: Letters;

  constructor(letters: Letters) {
    this.#letters = letters;
  }

  addAll(elements: readonly AST.Element[]): void {
    for (const element of elements) this.#add(element);
  }

  /** Returns the texts whose shortest is the longest; `null` if there are no texts. */
  best(): string[] | null {
    this.#break();
    const shortest = (texts: readonly string[]) => Math.min(...texts.map((text) => text.length));
    return this.#candidates.toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0] ?? null;
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
    const [first, ...others] = group.alternatives;
    if (group.type === "Group" && group.modifiers !== null) return this.#break();
    if (first && others.length === 0) return this.addAll(first.elements);
    this.#break();
    const texts = textsOfAny(group.alternatives, this.#letters);
    if (texts) this.#candidates.push(texts);
  }

  #addQuantifier({ element, min, max }: AST.Quantifier): void {
    if (min === 0) return this.#break();
    this.#add(element);
    if (max > 1) this.#break();
  }

  #break(): void {
    for (const run of this.#current.split(/\p{Surrogate}/u)) {
      if (run !== "") this.#candidates.push([run]);
    }
    this.#current = "";
  }
}

/** Line ends, the byte order mark and U+FFFD: the text of a line differs from its bytes there. */
const BROKEN_BY_DECODING: ReadonlySet<number> = new Set([0x0a, 0x0d, 0xfeff, 0xfffd]);
