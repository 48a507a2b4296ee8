/** A regular expression as JavaScript takes it. */
export interface TranslatedPattern {
  source: string;
  flags: string;
}

/**
 * Translates what JavaScript lacks: Python's leading `(?i)`, `(?m)`, `(?s)`, then `(?P<n>…)`, `(?P=n)`, `\A`,
 * `\Z`, and POSIX classes such as `[[:alpha:]]`. The flag `u` is set only for patterns that mean something
 * else without it.
 *
 * @throws {SyntaxError} For flags and POSIX classes that are not known
 */
export function translatePattern(pattern: string): TranslatedPattern {
  const lead = /^(?:\(\?[a-zA-Z]+\))*/.exec(pattern)![0];
  const flags = translateFlags(lead.replaceAll(/[(?)]/g, ""));
  const source = pattern.slice(lead.length).replaceAll(TOKENS, (token, name?: string) => {
    if (name !== undefined) return `\\k<${name}>`;
    if (token.startsWith("[")) return `[${token.slice(1).replaceAll(POSIX_CLASS, translatePosixClass)}`;
    return SPELLINGS.get(token) ?? token;
  });
  if (UNICODE_ESCAPE.test(source)) return { source: dropIdleEscapes(source), flags: `${flags}u` };
  const wide = /[\u{10000}-\u{10ffff}]/u.test(source) && compiles(dropIdleEscapes(source), `${flags}u`);
  return wide ? { source: dropIdleEscapes(source), flags: `${flags}u` } : { source, flags };
}

/** What is translated; also escapes and classes, whose content stays as it is. */
const TOKENS = /\(\?P<(?![=!])|\(\?P=(\w+)\)|\\[^]|\[(?:\[:\w+:\]|\\[^]|[^\]\\])*\]?/g;

const POSIX_CLASS = /\\[^]|\[:(\w+):\]/g;

const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "a-zA-Z0-9"],
  ["alpha", "a-zA-Z"],
  ["blank", " \\t"],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["digit", "0-9"],
  ["graph", "\\x21-\\x7e"],
  ["lower", "a-z"],
  ["print", "\\x20-\\x7e"],
  ["punct", "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e"],
  ["space", "\\s"],
  ["upper", "A-Z"],
  ["word", "\\w"],
  ["xdigit", "0-9A-Fa-f"],
]);

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["(?P<", "(?<"],
  ["\\A", "(?<![^])"],
  ["\\Z", "(?![^])"],
]);

const UNICODE_ESCAPE = /(?<!\\)(?:\\\\)*\\(?:[pP]|u)\{/;

function translatePosixClass(token: string, name?: string): string {
  if (name === undefined) return token;
  const members = POSIX_CLASSES.get(name);
  if (members === undefined) throw new SyntaxError(`the class [:${name}:] is not known`);
  return members;
}

function translateFlags(letters: string): string {
  const unknown = [...letters].find((letter) => !"imsau".includes(letter));
  if (unknown === "x") {
    throw new SyntaxError(
      "the flag (?x) is not supported, write the pattern without extra blanks and comments",
    );
  }
  if (unknown) throw new SyntaxError(`the flag (?${unknown}) is not supported, use (?i), (?m) or (?s)`);
  return [..."ims"].filter((letter) => letters.includes(letter)).join("");
}

/** With the flag `u` a needless backslash before a character is an error. */
function dropIdleEscapes(source: string): string {
  return source.replaceAll(TOKENS, (token) => {
    if (token.startsWith("[")) {
      return token.replaceAll(/\\([^])/g, (escape, char) => isIdle(char, "-") ? char : escape);
    }
    return token.startsWith("\\") && isIdle(token.slice(1), "") ? token.slice(1) : token;
  });
}

function isIdle(char: string, needed: string): boolean {
  return /[^\w^$\\.*+?()[\]{}|/]/.test(char) && char !== needed || char === "_";
}

function compiles(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
