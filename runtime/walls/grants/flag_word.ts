import { quoteWord } from "../../text/shell_quote.ts";

/** Returns a flag with its values, as one word of a command line: a comma in a value is doubled, but not between ports. */
export function flagWord(flag: string, values: readonly string[]): string {
  const write = (value: string) =>
    isHosts(flag) && HAS_PORTS.test(value) ? value : value.replaceAll(",", ",,");
  return `${flag}=${values.map(write).join(",")}`;
}

/** Says whether the values of a flag are hosts. */
function isHosts(flag: string): boolean {
  return flag.endsWith("-net");
}

/** A host and its ports. */
const HAS_PORTS = /(?:^[^:]+|\]):\d[\d,]*$/;

/** Reads a word such as `--allow-read=a,b`; without `=` the values are `true`. */
export function readFlagWord(word: string): { flag: string; values: true | string[] } {
  const at = word.indexOf("=");
  if (at < 0) return { flag: word, values: true };
  const flag = word.slice(0, at);
  const values = splitValues(word.slice(at + 1));
  return { flag, values: isHosts(flag) ? joinPorts(values) : values };
}

/** Splits at commas; two in a row stand for one that belongs to the value, as in Deno. */
export function splitValues(text: string): string[] {
  return text.replaceAll(",,", "\0").split(",").map((item) => item.replaceAll("\0", ","));
}

/**
 * Joins ports that a comma cut off from their host: `example.com:80` and `443` are `example.com:80,443`. A number with no
 * such host before it stays as it is.
 */
export function joinPorts(values: readonly string[]): string[] {
  const joined: string[] = [];
  for (const value of values) {
    const before = joined.at(-1);
    if (/^\d{1,5}$/.test(value) && before !== undefined && HAS_PORTS.test(before)) {
      joined[joined.length - 1] = `${before},${value}`;
    } else joined.push(value);
  }
  return joined;
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
