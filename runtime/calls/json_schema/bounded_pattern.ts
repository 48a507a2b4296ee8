import { RegExpParser } from "@eslint-community/regexpp";

import { makeAutomaton } from "./pattern_automaton.ts";
import { costOf, isQuick } from "./pattern_cost.ts";
import { portablePattern } from "./portable_pattern.ts";

/** A pattern that is tried in bounded time: nobody can stop V8 once it tries one. */
export interface BoundedPattern {
  test(text: string): boolean;
  /** The pattern between slashes. */
  toString(): string;
}

const parser = new RegExpParser();

/**
 * Compiles a pattern of strangers, as JSON Schema means it. Where V8 could take long for a text, another way is taken whose
 * time grows with the text only.
 *
 * @throws {SyntaxError} For what is no pattern, and for one that could take any time
 */
export function compilePattern(source: string): BoundedPattern {
  const pattern = portablePattern(source);
  const native = new RegExp(pattern, "u");
  const tree = parser.parsePattern(pattern, 0, pattern.length, { unicode: true, unicodeSets: false });
  const cost = costOf(tree);
  let automaton: ReturnType<typeof makeAutomaton> | undefined;
  const other = () => automaton ??= cost.hasReference ? null : makeAutomaton(tree);
  if (!isQuick(cost, LEAST_LENGTH) && other() === null) {
    const why = cost.hasReference ? "it refers to a group" : "it counts to large numbers";
    throw new SyntaxError(`The pattern /${source}/ could take any time: ${why}, and parts of it repeat`);
  }
  return {
    test(text) {
      if (isQuick(cost, text.length)) return native.test(text);
      const matches = other();
      if (matches !== null) return matches(text);
      throw new Error(`the pattern /${source}/ could take any time for a text of ${text.length} characters`);
    },
    toString: () => `/${source}/`,
  };
}

/** A pattern that is not quick for so many characters is of no use, in characters. */
const LEAST_LENGTH = 100;
