import type { TokenizerExtension, Tokens } from "marked";

const INLINE = [
  /^\$\$([^$]+)\$\$/,
  // No space inside the signs, and no digit after: amounts of money stay.
  /^\$(?![\s$])((?:\\[^]|[^\\$\n])+?)(?<!\s)\$(?!\d)/,
  /^\\\(([^]+?)\\\)/,
  /^\\\[([^]+?)\\\]/,
];
const BLOCK = [/^ {0,3}\$\$([^$]+)\$\$[ \t]*(?:\n|$)/, /^ {0,3}\\\[([^]+?)\\\][ \t]*(?:\n|$)/];

/** Formulas between `$`, `$$`, `\(` and `\[`, for the reader of Markdown. */
export const FORMULAS: TokenizerExtension[] = [
  formulas("inline", INLINE, /\$|\\[([]/),
  formulas("block", BLOCK, /(?:^|\n) {0,3}(?:\$\$|\\\[)/),
];

function formulas(level: "inline" | "block", forms: readonly RegExp[], start: RegExp): TokenizerExtension {
  const name = `${level}Formula`;
  return {
    name,
    level,
    start(text) {
      // A paragraph ends with an empty line: all behind it would be searched again for each paragraph.
      const end = level === "block" ? text.indexOf("\n\n") : -1;
      const at = (end < 0 ? text : text.slice(0, end)).search(start);
      return at < 0 ? undefined : at;
    },
    tokenizer(text): Tokens.Generic | undefined {
      for (const form of forms) {
        const [raw, tex] = form.exec(text) ?? [];
        if (raw && tex?.trim()) return { type: name, raw, tex: tex.trim(), isBlock: isBlock(raw) };
      }
    },
  };
}

function isBlock(raw: string): boolean {
  return /^\s*(?:\$\$|\\\[)/.test(raw);
}
