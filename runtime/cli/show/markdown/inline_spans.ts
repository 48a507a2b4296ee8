import type { Token, Tokens } from "marked";

import { withoutEntities } from "../../../text/foreign/entities.ts";
import { type Canvas, span, type Styled } from "./spans.ts";

const BOLD = "1";
const ITALIC = "3";
const UNDERLINED = "4";
const STRUCK = "9";
const CODE = "36";
const DIM = "2";

/** Returns what stands in a line of Markdown as pieces of text. */
export function inlineSpans(
  tokens: readonly Token[] | undefined,
  canvas: Pick<Canvas, "colors" | "keepsLines">,
  style = "",
): Styled[] {
  return (tokens ?? []).flatMap((token) => spansOf(token, canvas, style));
}

function spansOf(one: Token, canvas: Pick<Canvas, "colors" | "keepsLines">, style: string): Styled[] {
  const token: Tokens.Generic = one;
  const within = (mark: string, code: string): Styled[] => {
    if (canvas.colors) return inlineSpans(token["tokens"], canvas, styled(style, code));
    return [span(mark, style), ...inlineSpans(token["tokens"], canvas, style), span(mark, style)];
  };
  switch (token.type) {
    case "strong":
      return within("**", BOLD);
    case "em":
      return within(token.raw[0] ?? "*", ITALIC);
    case "del":
      return within("~~", STRUCK);
    case "codespan":
      return canvas.colors
        ? [span(oneLine(token["text"]), styled(style, CODE))]
        : [span(oneLine(token.raw), style)];
    case "br":
      return [span("\n", style)];
    case "link":
      return linkSpans(
        withoutEntities(token["href"]),
        inlineSpans(token["tokens"], canvas, canvas.colors ? styled(style, UNDERLINED) : style),
        style,
      );
    case "image":
      return linkSpans(withoutEntities(token["href"]), [
        span(`[picture: ${token["text"] || "without a name"}]`, style),
      ], style);
    case "checkbox":
      return [];
    case "escape":
      return [span(token["text"], style)];
    case "html":
      return [/^<br\s*\/?>$/i.test(token.raw.trim()) ? span("\n", style) : span(token.raw, style)];
    case "inlineFormula":
    case "blockFormula":
      return [span(oneLine(token.raw.trim()), style)];
    default:
      return Array.isArray(token["tokens"])
        ? inlineSpans(token["tokens"], canvas, style)
        : [span(plainText(withoutEntities("text" in token ? String(token.text) : token.raw), canvas), style)];
  }
}

/** An address that its words do not say stands behind them. */
function linkSpans(address: string, words: readonly Styled[], style: string): Styled[] {
  const said = words.map(({ text }) => text).join("");
  const isSaid = address === said || address === `mailto:${said}` || address.startsWith("#");
  return isSaid
    ? [...words]
    : [...words, span(" ", style), span(`(${oneLine(address)})`, styled(style, DIM))];
}

function plainText(text: string, { keepsLines = false }: Pick<Canvas, "keepsLines">): string {
  return keepsLines ? text.replace(/ *\n */g, "\n") : oneLine(text);
}

/** A line break within a paragraph is a blank. */
function oneLine(text: string): string {
  return text.replace(/ *\n */g, " ");
}

function styled(style: string, code: string): string {
  return style === "" ? code : `${style};${code}`;
}
