/** Escapes that mean something in a pattern with the flag `u`; every other escaped character is itself. */
const KNOWN_ESCAPE = /[dDwWsSbBfnrtvcxukpP0-9^$\\.*+?()[\]{}|/-]/;

/** What a pattern consists of, as far as it matters here: names and counts in braces, escapes, and brackets. */
const PIECES = /\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\[^]|\{\d+(?:,\d*)?\}|[[\]{}]/g;

/** Brackets that stand for themselves, where they close or open nothing. */
const LOOSE = ["]", "{", "}"];

/**
 * Makes a pattern of a schema readable with the flag `u`, as JSON Schema wants it: authors also write what only older
 * patterns allow, such as `\@`.
 *
 * @throws {SyntaxError} For a text that is no pattern either way
 */
export function portablePattern(source: string): string {
  if (isPattern(source, "u")) return source;
  let inClass = false;
  const text = source.replace(PIECES, (piece) => {
    if (piece === "[") inClass = true;
    if (piece === "]" && inClass) inClass = false;
    else if (!inClass && LOOSE.includes(piece)) return `\\${piece}`;
    if (piece.length !== 2) return piece;
    if (piece === "\\-") return inClass ? piece : "-";
    return KNOWN_ESCAPE.test(piece[1]!) ? piece : piece[1]!;
  });
  if (isPattern(text, "u")) return text;
  new RegExp(source, "u");
  return source;
}

function isPattern(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}
