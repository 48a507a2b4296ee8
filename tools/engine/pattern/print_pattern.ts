import { ANY_BUT_FEED, type Dialect, printClass, printItem } from "./print_class.ts";
import { printCharacter } from "./print_character.ts";
import { casesOf, withCases } from "./spell_cases.ts";
import type { Body, Flags, Node } from "./syntax.ts";

/**
 * Writes a pattern as JavaScript has it. The dialect `ascii` is short and quick and right for lines of ASCII;
 * `unicode` needs the flag `v`.
 *
 * @param flags What the flags of the regular expression say about the whole pattern
 * @param letterCase `"spelled"` writes every case of a letter, for a regular expression without the flag `i`
 */
export function printPattern(
  body: Body,
  dialect: Dialect,
  { flags, letterCase }: { flags: Flags; letterCase: "flags" | "spelled" },
): string {
  const source = new Printer(dialect, flags, letterCase === "spelled").printBody(body);
  // V8 also looks for an empty match between the halves of a character; no character begins there.
  return dialect === "unicode" && canBeEmpty(body) ? `(?=[^]|$)(?:${source})` : source;
}

function canBeEmpty(body: Body): boolean {
  return body.some((nodes) => nodes.every(isMaybeEmpty));
}

function isMaybeEmpty(node: Node): boolean {
  if (node.type === "repeat") return node.min === 0 || isMaybeEmpty(node.node);
  if (node.type === "group" || node.type === "atomic") return canBeEmpty(node.body);
  return ["start", "end", "boundary", "look", "reference"].includes(node.type);
}

type NodeOf<Type extends Node["type"]> = Extract<Node, { type: Type }>;

class Printer {
  readonly #dialect: Dialect;
  readonly #flags: Flags;
  readonly #isMixed: boolean;
  /** What a reference to a group of Python's is called in what is written. */
  readonly #references = new Map<number, string>();
  #captures = 0;
  #isBehind = false;

  constructor(dialect: Dialect, flags: Flags, isMixed: boolean) {
    this.#dialect = dialect;
    this.#flags = flags;
    this.#isMixed = isMixed;
  }

  printBody(body: Body): string {
    return body.map((nodes) => this.#printSequence(nodes)).join("|");
  }

  #printSequence(nodes: readonly Node[]): string {
    let text = "";
    for (const node of nodes) {
      const piece = this.#printNode(node);
      text += /\\[0-9]+$/.test(text) && /^[0-9]/.test(piece) ? `(?:)${piece}` : piece;
    }
    return text;
  }

  #printNode(node: Node): string {
    switch (node.type) {
      case "char":
        return this.#printChar(node);
      case "any":
        return this.#printAny(node);
      case "category":
      case "property":
        return this.#dialect === "ascii" ? printItem(node, "ascii") : `[${printItem(node, "unicode")}]`;
      case "class":
        return printClass(this.#isMixed ? withCases(node) : node, this.#dialect);
      case "start":
      case "end":
        return this.#printEdge(node);
      case "boundary":
        return this.#printBoundary(node);
      case "reference":
        return this.#references.get(node.group)!;
      case "group":
        return this.#printGroup(node);
      case "look":
        return this.#printLook(node);
      case "atomic":
        return this.#printAtomic(node.body);
      case "repeat":
        return this.#printRepeat(node);
    }
  }

  #printChar({ value, ignoreCase }: NodeOf<"char">): string {
    const items = this.#isMixed && ignoreCase ? casesOf({ from: value, to: value }) : [];
    if (items.length < 2) return printCharacter(value);
    return printClass({ type: "class", negated: false, items, ignoreCase }, this.#dialect);
  }

  #printAny({ dotAll }: NodeOf<"any">): string {
    if (this.#dialect === "ascii" && dotAll === this.#flags.dotAll) return ".";
    return dotAll ? "[^]" : ANY_BUT_FEED;
  }

  /** `^` and `$` of JavaScript also know other line ends than the line feed, if they know any. */
  #printEdge({ type, multiline }: NodeOf<"start" | "end">): string {
    const isOwn = multiline === this.#flags.multiline && (this.#dialect === "ascii" || !multiline);
    if (isOwn) return type === "start" ? "^" : "$";
    const inside = multiline ? ANY_BUT_FEED : "[^]";
    return type === "start" ? `(?<!${inside})` : `(?!${inside})`;
  }

  #printBoundary({ negated, ascii }: NodeOf<"boundary">): string {
    if (this.#dialect === "ascii") return negated ? "\\B" : "\\b";
    const word = `[${printItem({ type: "category", letter: "w", negated: false, ascii }, "unicode")}]`;
    return negated
      ? `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`
      : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
  }

  #printGroup({ body, capture, letterCase }: NodeOf<"group">): string {
    if (capture) {
      const { name } = capture;
      this.#references.set(capture.number, name === null ? `\\${++this.#captures}` : `\\k<${name}>`);
      if (name !== null) this.#captures++;
      return `(${name === null ? "" : `?<${name}>`}${this.printBody(body)})`;
    }
    const head = letterCase === null || this.#isMixed ? "?:" : letterCase === "ignore" ? "?i:" : "?-i:";
    return `(${head}${this.printBody(body)})`;
  }

  #printLook({ behind, negated, body }: NodeOf<"look">): string {
    const outer = this.#isBehind;
    this.#isBehind = behind;
    const text = `(?${behind ? "<" : ""}${negated ? "!" : "="}${this.printBody(body)})`;
    this.#isBehind = outer;
    return text;
  }

  /** A look-ahead never tries again, and a reference to what it saw takes it. */
  #printAtomic(body: Body): string {
    // What a look-behind takes is as long in each way, so that another try changes nothing.
    if (this.#isBehind) return `(?:${this.printBody(body)})`;
    const number = ++this.#captures;
    return `(?:(?=(${this.printBody(body)}))\\${number})`;
  }

  #printRepeat({ node, min, max, lazy }: NodeOf<"repeat">): string {
    const text = this.#printNode(node);
    const isPart = node.type !== "look" && !(node.type === "char" && node.value > 0xffff);
    return `${isPart ? text : `(?:${text})`}${printBounds(min, max)}${lazy ? "?" : ""}`;
  }
}

function printBounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
