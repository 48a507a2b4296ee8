/** Returns a word that a POSIX shell reads as exactly this text. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns a word as a shell reads it. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // deno-lint-ignore no-control-regex
  const controls = /[\x00-\x1f\x7f-\x9f]/g;
  if (word.search(controls) < 0) return shellQuote(word);
  const escaped = word.replace(/[\\']/g, "\\$&")
    .replace(controls, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `$'${escaped}'`;
}
