import { Marked, type Token, type TokenizerExtension, type Tokens, type TokensList } from "marked";

import { highlight } from "./highlight.ts";
import { safeHtml } from "./safe_html.ts";

/** A formula in a text. */
interface Formula extends Tokens.Generic {
  type: "formula";
  text: string;
  isBlock: boolean;
}

/** Blocks whose HTML is kept: a text that grows is made again with each piece. */
const MAX_KEPT = 2_000;
const kept = new Map<string, string>();

const INLINE =
  /^(?:\$\$([^\n]+?)\$\$|\$(?![\s\d.,]*\$)(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)|\\\(([^\n]+?)\\\))/;
const BLOCK = /^(?:\$\$\s*\n?([\s\S]+?)\n?\s*\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/;

const inlineFormula: TokenizerExtension = {
  name: "formula",
  level: "inline",
  start: (text) => firstOf(text, ["$", "\\("]),
  tokenizer(text) {
    const found = INLINE.exec(text);
    if (!found) return undefined;
    const [raw, display, inline, bracketed] = found;
    return {
      type: "formula",
      raw,
      text: display ?? inline ?? bracketed ?? "",
      isBlock: display !== undefined,
    };
  },
};

const blockFormula: TokenizerExtension = {
  name: "formulas",
  level: "block",
  start: (text) => firstOf(text, ["$$", "\\["]),
  tokenizer(text) {
    const found = BLOCK.exec(text);
    if (!found) return undefined;
    const [raw, dollars, brackets] = found;
    return { type: "formulas", raw, text: (dollars ?? brackets ?? "").trim(), isBlock: true };
  },
};

const formula = (token: Tokens.Generic) => formulaHtml(token as Formula);

const marked = new Marked({
  gfm: true,
  extensions: [
    { ...inlineFormula, renderer: formula },
    { ...blockFormula, renderer: (token) => `<p>${formula(token)}</p>` },
  ],
  renderer: {
    // HTML in a text is a text.
    html: ({ text }) => escapeHtml(text),
    code: ({ text, lang }) => codeHtml(text, lang ?? ""),
  },
});

/** A part of a text that stands for itself, such as a paragraph, a list or a piece of code. */
export interface Block {
  /** As it was written. */
  raw: string;
  /** Safe HTML. */
  html: string;
}

/** Splits Markdown into blocks of safe HTML. A block that did not change since is not made again. */
export function markdownBlocks(text: string): Block[] {
  const tokens = marked.lexer(text);
  const { links } = tokens;
  return tokens.filter(({ type }) => type !== "space" && type !== "def").map((token) => ({
    raw: token.raw,
    html: htmlOf(token, links),
  }));
}

function htmlOf(token: Token, links: TokensList["links"]): string {
  const known = kept.get(token.raw);
  // What refers to an address elsewhere in the text may mean another one next time.
  const isAlone = !/\[[^\]]*\](?!\()/.test(token.raw);
  if (known !== undefined && isAlone) return known;
  const html = safeHtml(marked.parser(Object.assign([token], { links })));
  if (isAlone) keep(token.raw, html);
  return html;
}

function keep(raw: string, html: string): void {
  kept.set(raw, html);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
}

function codeHtml(text: string, info: string): string {
  const language = /^[\w+#.-]*/.exec(info)?.[0].toLowerCase() ?? "";
  if (language === "mermaid") {
    return `<pre class="diagram"><code>${escapeHtml(text)}</code></pre>`;
  }
  const inside = highlight(text, language) ?? escapeHtml(text);
  return `<pre class="code"><code class="hljs language-${language || "none"}">${inside}</code></pre>`;
}

function formulaHtml({ text, isBlock }: Formula): string {
  const source = escapeHtml(text);
  return `<span class="formula" data-source="${source}" data-display="${
    isBlock ? "block" : "inline"
  }">${source}</span>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function firstOf(text: string, marks: readonly string[]): number | undefined {
  const found = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : undefined;
}
