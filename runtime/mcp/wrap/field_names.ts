const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/**
 * Returns the names of the fields of an object, those that stand there twice included: programs differ in which of them
 * counts, and what reads a whole text into a value does not tell.
 *
 * @param text JSON that is an object, in UTF-8
 */
export function fieldNames(text: Uint8Array): string[] {
  const names: string[] = [];
  let depth = 0;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === QUOTE) {
      const end = endOfString(text, at);
      if (depth === 1 && isName) names.push(JSON.parse(new TextDecoder().decode(text.subarray(at, end + 1))));
      isName = false;
      at = end;
    } else if (OPENING.includes(byte)) isName = ++depth === 1;
    else if (CLOSING.includes(byte)) depth--;
    else if (byte === COMMA) isName = depth === 1;
  }
  return names;
}

/** Where the quote stands that ends a string. */
function endOfString(text: Uint8Array, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end > 0; end = text.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (text[first - 1] === BACKSLASH) first--;
    // Backslashes in pairs stand for themselves.
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
