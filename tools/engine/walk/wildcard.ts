/** Says whether a name fits one component of a glob. */
export type NameTest = (name: string) => boolean;

type Token =
  | { kind: "one"; code: number }
  | { kind: "any" }
  | { kind: "star" }
  | { kind: "class"; negated: boolean; ranges: [number, number][] };

/**
 * Compiles one component of a glob: `*`, `?`, `[abc]`, `[a-z]`, `[!a]`; everything else stands for itself. A name that is
 * spelled as the component, such as `[locale]`, fits as well: frameworks give folders such names.
 * Matching any pattern takes at most the product of both lengths: it uses no regular expression.
 */
export function compileWildcard(component: string): NameTest {
  const tokens = parseTokens([...component]);
  const plain = simpleTest(tokens);
  if (plain) return plain;
  return (name) => name === component || matchTokens(tokens, [...name].map((char) => char.codePointAt(0)!));
}

function parseTokens(chars: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const close = char === "[" ? endOfClass(chars, at) : -1;
    if (close > 0) {
      tokens.push(parseClass(chars.slice(at + 1, close)));
      at = close;
    } else if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else {
      tokens.push(char === "?" ? { kind: "any" } : { kind: "one", code: char.codePointAt(0)! });
    }
  }
  return tokens;
}

/**
 * Returns the index of the `]` that closes the class opened at `open`, or -1: then the `[` is a plain
 * character.
 */
export function endOfClass(chars: ArrayLike<string>, open: number): number {
  let at = open + 1;
  if (chars[at] === "!") at++;
  if (chars[at] === "]") at++;
  while (at < chars.length && chars[at] !== "]") at++;
  return at < chars.length ? at : -1;
}

function parseClass(chars: readonly string[]): Token {
  const negated = chars[0] === "!";
  const codes = (negated ? chars.slice(1) : chars).map((char) => char.codePointAt(0)!);
  const ranges: [number, number][] = [];
  for (let at = 0; at < codes.length; at++) {
    const isRange = codes[at + 1] === 0x2d && at + 2 < codes.length;
    ranges.push([codes[at]!, isRange ? codes[at + 2]! : codes[at]!]);
    if (isRange) at += 2;
  }
  return { kind: "class", negated, ranges };
}

/** The forms that nearly every component has are one comparison of strings. */
function simpleTest(tokens: readonly Token[]): NameTest | null {
  const star = tokens.findIndex((token) => token.kind === "star");
  const head = literalOf(star < 0 ? tokens : tokens.slice(0, star));
  const tail = star < 0 ? "" : literalOf(tokens.slice(star + 1));
  if (head === null || tail === null) return null;
  if (star < 0) return (name) => name === head;
  const least = head.length + tail.length;
  if (least === 0) return () => true;
  if (head === "") return (name) => name.endsWith(tail);
  return (name) => name.length >= least && name.startsWith(head) && name.endsWith(tail);
}

function literalOf(tokens: readonly Token[]): string | null {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "one") return null;
    text += String.fromCodePoint(token.code);
  }
  return text;
}

/** Goes back only to the last star: earlier stars need not match more than they did. */
function matchTokens(tokens: readonly Token[], codes: readonly number[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < codes.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      starAt = at;
    } else if (current && fits(current, codes[at]!)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

function fits(token: Token, code: number): boolean {
  if (token.kind === "one") return token.code === code;
  if (token.kind !== "class") return true;
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
}
