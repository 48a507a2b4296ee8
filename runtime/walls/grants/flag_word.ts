import { quoteWord } from "../../text/shell_quote.ts";

/** Returns a flag with its values, as one word of a command line: a comma in a value is doubled. */
export function flagWord(flag: string, values: readonly string[]): string {
  return `${flag}=${values.map((value) => value.replaceAll(",", ",,")).join(",")}`;
}

/** Reads a word such as `--allow-read=a,b`; without `=` the values are `true`. */
export function readFlagWord(word: string): { flag: string; values: true | string[] } {
  const at = word.indexOf("=");
  if (at < 0) return { flag: word, values: true };
  return { flag: word.slice(0, at), values: splitValues(word.slice(at + 1)) };
}

/** Splits at commas; two in a row stand for one that belongs to the value, as in Deno. */
export function splitValues(text: string): string[] {
  return text.replaceAll(",,", "\0").split(",").map((item) => item.replaceAll("\0", ","));
}

/** Joins words of the same flag into one; a flag without values takes in those with values. */
export function mergeFlags(words: readonly string[]): string[] {
  const merged = new Map<string, true | Set<string>>();
  for (const { flag, values } of words.map(readFlagWord)) {
    const before = merged.get(flag) ?? new Set<string>();
    merged.set(flag, before === true || values === true ? true : before.union(new Set(values)));
  }
  return [...merged].map(([flag, values]) => values === true ? flag : flagWord(flag, [...values]));
}

/** Returns flags as a person pastes them into a shell. */
export function showFlags(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}
