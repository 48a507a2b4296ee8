/** Returns a word that a POSIX shell reads as exactly this text. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
