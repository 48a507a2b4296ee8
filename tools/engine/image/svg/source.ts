/** The text of an SVG picture, and what the user should know about it. */
export interface SvgSource {
  text: string;
  hasText: boolean;
  warnings: string[];
}

/** Scripts that the font has no glyphs for. */
const UNKNOWN_SCRIPTS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}\p{sc=Thai}]/u;

const LINKED_IMAGE = /<(?:\w+:)?image\s[^>]*\bhref\s*=\s*["'](?!\s*data:|#)/;

/** Decodes an SVG picture into what the renderer needs: UTF-8, in SVG's namespace. */
export function svgSource(bytes: Uint8Array): SvgSource {
  const text = inNamespace(decoded(bytes));
  const hasText = /<(?:\w+:)?text[\s>]/.test(text);
  const warnings: string[] = [];
  if (hasText && UNKNOWN_SCRIPTS.test(text)) {
    warnings.push(
      "Some text of the SVG image is in a script that no font is at hand for: use Read to see it",
    );
  }
  if (LINKED_IMAGE.test(text)) warnings.push("Linked images of the SVG image are not drawn");
  return { text, hasText, warnings };
}

function decoded(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  const label = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ??
    "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    // An unknown encoding.
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder().decode(bytes);
  }
}

/** Adds SVG's namespace: old files and files written by hand do not have it. */
function inNamespace(text: string): string {
  return text.replace(
    /<svg(?=[\s>/])[^>]*>/,
    (root) =>
      /\sxmlns\s*=/.test(root) ? root : root.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'),
  );
}
