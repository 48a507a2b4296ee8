/**
 * Says whether a text of JSON is nested deeper than so many levels. It is looked at before it is parsed: readers of JSON
 * walk it by recursion. Brackets within texts do not count.
 */
export function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 0x5c) at++;
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > levels) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
