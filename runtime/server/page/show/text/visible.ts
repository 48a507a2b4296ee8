/** Characters that nobody sees, and that change what a person believes to read: controls and turns of direction. */
const UNSEEN = /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Shows what hides itself in a text, such as `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(
    UNSEEN,
    (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}
