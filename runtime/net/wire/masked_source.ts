import { type ByteSource, latin1 } from "./streams.ts";

const READ_BYTES = 16 * 1024;

/**
 * Reads bytes with each of some texts replaced by as many stars: a service may repeat the key that it was asked with.
 *
 * @param texts Of one byte a character, and none empty
 */
export function maskedSource(from: ByteSource, texts: readonly string[]): ByteSource {
  if (texts.length === 0) return from;
  const longest = Math.max(...texts.map((text) => text.length));
  let held = "";
  let ready = new Uint8Array();
  let hasEnded = false;
  const more = async () => {
    const buffer = new Uint8Array(READ_BYTES);
    const read = await from.read(buffer);
    hasEnded = read === null;
    const text = maskTexts(held + latin1(buffer.subarray(0, read ?? 0)), texts);
    // What may be the beginning of one waits for its end.
    const start = hasEnded ? -1 : beginOf(text, texts, longest);
    const end = start < 0 ? text.length : start;
    held = text.slice(end);
    ready = Uint8Array.from(text.slice(0, end), (character) => character.charCodeAt(0));
  };
  return {
    async read(buffer) {
      while (ready.length === 0 && !hasEnded) await more();
      if (ready.length === 0) return null;
      const part = ready.subarray(0, buffer.length);
      buffer.set(part);
      ready = ready.slice(part.length);
      return part.length;
    },
  };
}

/** Replaces each of some texts by as many stars. */
export function maskTexts(text: string, texts: readonly string[]): string {
  return texts.reduce((masked, one) => masked.replaceAll(one, "*".repeat(one.length)), text);
}

/** Where the end of a text may begin one of the others; -1 for nowhere. */
function beginOf(text: string, texts: readonly string[], longest: number): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const end = text.slice(at);
    if (texts.some((one) => one.startsWith(end))) return at;
  }
  return -1;
}
