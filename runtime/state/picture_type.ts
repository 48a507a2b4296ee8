/** First bytes of each type, as text of one character a byte; a question mark stands for any. */
const STARTS: readonly (readonly [string, string])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["RIFF????WEBP", "image/webp"],
];

/** Returns the type of a picture that models take, by its first bytes; `null` for anything else. */
export function pictureType(bytes: Uint8Array): string | null {
  return STARTS.find(([start]) => startsWith(bytes, start))?.[1] ?? null;
}

function startsWith(bytes: Uint8Array, start: string): boolean {
  return [...start].every((char, at) => char === "?" || bytes[at] === char.charCodeAt(0));
}
