/** Counts code points. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(at + 1);
      if (next >= 0xdc00 && next <= 0xdfff) pairs++;
    }
  }
  return text.length - pairs;
}

/** Returns the first code points of a text. */
export function firstCharacters(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, offsetAfter(text, characters));
}

/** Returns where in a text so many code points end, in UTF-16 units; its length if it has fewer. */
export function offsetAfter(text: string, characters: number): number {
  let at = 0;
  for (let count = 0; count < characters && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
