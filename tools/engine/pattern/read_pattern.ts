import { readCategory, readClass } from "./read_class.ts";
import { readCharacterEscape, readOctal } from "./read_escape.ts";
import { type GroupHead, readGroupHead, readLeadingFlags } from "./read_group.ts";
import { type Body, type Capture, Cursor, type Flags, type Node } from "./syntax.ts";

/** A pattern as Python reads it. */
export interface ReadPattern {
  body: Body;
  /** The flags that hold for the whole. */
  flags: Flags;
}

/**
 * Reads a pattern of Python's `re`; JavaScript's `\p{…}`, `\u{…}`, `(?<name>…)` and `\k<name>` are known too.
 *
 * @param ignoreCase Whether letter case is ignored in the whole pattern
 * @throws {SyntaxError} For what Python refuses, and for what JavaScript cannot do
 */
export function readPattern(source: string, ignoreCase: boolean): ReadPattern {
  return new PatternReader(source, ignoreCase).read();
}

/** What stands at a place without taking characters; looks may be repeated. */
const UNREPEATABLE: ReadonlySet<Node["type"]> = new Set(["start", "end", "boundary"]);

class PatternReader {
  readonly #cursor: Cursor;
  #flags: Flags;
  readonly #names = new Map<string, number>();
  readonly #open = new Set<number>();
  #captures = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#cursor = new Cursor(source);
    const flags = readLeadingFlags(this.#cursor);
    this.#flags = { ...flags, ignoreCase: flags.ignoreCase || ignoreCase };
  }

  read(): ReadPattern {
    const flags = this.#flags;
    const body = this.#readBody();
    if (!this.#cursor.isAtEnd) throw new SyntaxError("a ) has no (, write \\) for the sign )");
    return { body, flags };
  }

  #readBody(): Body {
    const body: Node[][] = [[]];
    while (!this.#cursor.isAtEnd && this.#cursor.next !== ")") {
      if (this.#cursor.skip("|")) body.push([]);
      else if (!this.#skipVerbose()) this.#readNext(body.at(-1)!);
    }
    return body;
  }

  /** Blanks and comments mean nothing under the flag `x`. */
  #skipVerbose(): boolean {
    if (!this.#flags.verbose) return false;
    if (this.#cursor.takeWhile(/[ \t\n\r\f\v]/) !== "") return true;
    if (!this.#cursor.skip("#")) return false;
    this.#cursor.takeWhile(/[^\n]/);
    return true;
  }

  #readNext(nodes: Node[]): void {
    const bounds = this.#readBounds();
    if (!bounds) {
      const node = this.#readNode();
      if (node) nodes.push(node);
      return;
    }
    const last = nodes.pop();
    if (!last || UNREPEATABLE.has(last.type)) {
      throw new SyntaxError("there is nothing to repeat before a *, +, ? or {, write \\* for the sign *");
    }
    if (last.type === "repeat" || last.type === "atomic" && isPossessive.has(last)) {
      throw new SyntaxError("a repeat is repeated, put a group (?:…) around the first");
    }
    const lazy = this.#cursor.skip("?");
    const repeat: Node = { type: "repeat", node: last, ...bounds, lazy };
    if (lazy || !this.#cursor.skip("+")) return void nodes.push(repeat);
    const possessive: Node = { type: "atomic", body: [[repeat]] };
    isPossessive.add(possessive);
    nodes.push(possessive);
  }

  #readBounds(): { min: number; max: number } | null {
    const cursor = this.#cursor;
    if (cursor.skip("*")) return { min: 0, max: Infinity };
    if (cursor.skip("+")) return { min: 1, max: Infinity };
    if (cursor.skip("?")) return { min: 0, max: 1 };
    if (cursor.next !== "{" || cursor.peek(2) === "{}") return null;
    const start = cursor.at;
    cursor.take();
    const low = cursor.takeWhile(/[0-9]/);
    const high = cursor.skip(",") ? cursor.takeWhile(/[0-9]/) : low;
    if (!cursor.skip("}")) {
      cursor.at = start;
      return null;
    }
    const bounds = { min: Number(low), max: high === "" ? Infinity : Number(high) };
    if (bounds.max < bounds.min) throw new SyntaxError(`the repeat {${low},${high}} runs backwards`);
    return bounds;
  }

  #readNode(): Node | null {
    const { ignoreCase, multiline, dotAll } = this.#flags;
    const char = this.#cursor.take();
    if (char === ".") return { type: "any", dotAll };
    if (char === "^") return { type: "start", multiline };
    if (char === "$") return { type: "end", multiline };
    if (char === "[") return readClass(this.#cursor, this.#flags);
    if (char === "\\") return this.#readEscape();
    if (char === "(") return this.#readGroup();
    return { type: "char", value: char.codePointAt(0)!, ignoreCase };
  }

  #readEscape(): Node {
    const cursor = this.#cursor;
    const { ascii, ignoreCase } = this.#flags;
    const category = readCategory(cursor, ascii);
    if (category) return category;
    if (cursor.skip("A")) return { type: "start", multiline: false };
    if (cursor.skip("Z")) return { type: "end", multiline: false };
    if (cursor.skip("b")) return { type: "boundary", negated: false, ascii };
    if (cursor.skip("B")) return { type: "boundary", negated: true, ascii };
    if (cursor.skip("k<")) return this.#refer(this.#readName(">"));
    if (cursor.next === "N" && cursor.peek(2) === "N{") {
      throw new SyntaxError("names of characters (\\N{…}) are not known here, write the character itself");
    }
    const value = /[0-9]/.test(cursor.next) ? this.#readNumber() : readCharacterEscape(cursor);
    return typeof value === "number" ? { type: "char", value, ignoreCase } : value;
  }

  /** Digits after a backslash: octal if they begin with 0 or are three octal digits, else a group. */
  #readNumber(): Node | number {
    const cursor = this.#cursor;
    const octal = cursor.next === "0" || /^[0-3][0-7]{2}$/.test(cursor.peek(3));
    if (octal) return readOctal(cursor.take(), cursor);
    if (/^[4-7][0-7]{2}$/.test(cursor.peek(3))) {
      throw new SyntaxError(`the octal escape \\${cursor.peek(3)} is above \\377`);
    }
    return this.#refer(Number(cursor.takeWhile(/[0-9]/, 2)));
  }

  #refer(group: number | string): Node {
    const number = typeof group === "number" ? group : this.#names.get(group);
    if (number === undefined || number < 1 || number > this.#captures) {
      throw new SyntaxError(`there is no group ${group} before its reference`);
    }
    if (this.#open.has(number)) throw new SyntaxError(`group ${group} is not closed before its reference`);
    return { type: "reference", group: number };
  }

  #readName(end: string): string {
    const name = this.#cursor.takeUntil(end);
    if (name && /^[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*$/u.test(name)) return name;
    throw new SyntaxError(`"${name ?? ""}" is not a name of a group`);
  }

  #readGroup(): Node | null {
    const head = readGroupHead(this.#cursor, this.#flags);
    if (head === "comment") return null;
    if (head.type === "reference") {
      return this.#refer(this.#readName(")"));
    }
    const capture = head.type === "capture" ? this.#openCapture(head.named) : null;
    const outer = this.#flags;
    if (head.type === "plain" && head.flags) this.#flags = head.flags;
    const body = this.#readBody();
    if (!this.#cursor.skip(")")) throw new SyntaxError("a ( has no ), write \\( for the sign (");
    const inner = this.#flags;
    this.#flags = outer;
    if (capture) this.#open.delete(capture.number);
    return toNode(head, { body, capture, inner, outer });
  }

  #openCapture(named: boolean): Capture {
    const name = named ? this.#readName(">") : null;
    const number = ++this.#captures;
    if (name !== null && this.#names.has(name)) throw new SyntaxError(`two groups have the name "${name}"`);
    if (name !== null) this.#names.set(name, number);
    this.#open.add(number);
    return { number, name };
  }
}

/** A possessive repeat cannot be repeated, an atomic group can. */
const isPossessive = new WeakSet<Node>();

interface ReadGroup {
  body: Body;
  capture: Capture | null;
  inner: Flags;
  outer: Flags;
}

function toNode(
  head: Exclude<GroupHead, "comment" | { type: "reference" }>,
  { body, capture, inner, outer }: ReadGroup,
): Node {
  if (head.type === "look") return { type: "look", behind: head.behind, negated: head.negated, body };
  if (head.type === "atomic") return { type: "atomic", body };
  const changed = inner.ignoreCase !== outer.ignoreCase;
  const letterCase = changed ? inner.ignoreCase ? "ignore" : "keep" : null;
  return { type: "group", body, capture, letterCase };
}
