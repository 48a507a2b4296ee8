/** Writes a text so that it stays a text in SVG. */
export function escaped(text: string): string {
  return text.replace(/[\p{Cc}]/gu, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
