import RULES from "./token_rules.json" with { type: "json" };

import { REDACTED } from "./secret_shapes.ts";

/** One form of tokens, of the public set of rules. */
interface TokenRule {
  pattern: string;
  flags?: string;
  /** In small letters. A text without any of them has no such token. */
  keywords: string[];
  /** A text of fewer bits a character is no token. @default 0 */
  entropy?: number;
}

const rules: readonly TokenRule[] = RULES.rules;
/** Made when a text first needs them. */
const made = new Map<TokenRule, RegExp>();

/** Masks the tokens of known services by their forms. Takes time linear in the length of the text. */
export function maskTokens(text: string): string {
  const small = text.toLowerCase();
  return rules.filter(({ keywords }) => keywords.some((word) => small.includes(word))).reduce(maskOne, text);
}

function maskOne(text: string, rule: TokenRule): string {
  const { entropy = 0 } = rule;
  return text.replace(patternOf(rule), (match, ...rest) => {
    const groups = rest.slice(0, rest.findIndex((part) => typeof part === "number"));
    const token = groups.find((group): group is string => typeof group === "string" && group !== "") ?? match;
    return bitsOf(token) < entropy ? match : match.replace(token, () => REDACTED);
  });
}

function patternOf(rule: TokenRule): RegExp {
  const pattern = made.get(rule) ?? new RegExp(rule.pattern, `g${rule.flags ?? ""}`);
  made.set(rule, pattern);
  return pattern;
}

/** Shannon's entropy, in bits a character. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => {
    const share = count / text.length;
    return bits - share * Math.log2(share);
  }, 0);
}
