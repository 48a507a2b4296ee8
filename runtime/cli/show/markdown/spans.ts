import { onTerminal } from "../../../text/strip_controls.ts";
import { widthOf } from "../tables/columns.ts";

/** A piece of a text in one style: codes of a terminal such as `1`, and none for plain text. */
export interface Styled {
  text: string;
  style: string;
}

/** Where a text goes. */
export interface Canvas {
  columns: number;
  /** Without them marks such as `**` stay as they were written. */
  colors: boolean;
  /** A line break within a paragraph stays one: models mean it, and the manual does not. @default false */
  keepsLines?: boolean;
}

/** Returns a text of others as a piece: without controls, and with what turns the writing round shown as its code. */
export function span(text: string, style = ""): Styled {
  return { text: onTerminal(text).replaceAll("\t", "    "), style };
}

/** Returns spans as a text for the terminal. */
export function paint(spans: readonly Styled[], { colors }: Pick<Canvas, "colors">): string {
  return spans.map(({ text, style }) => colors && style !== "" ? `\x1b[${style}m${text}\x1b[0m` : text).join(
    "",
  );
}

/** Returns how many columns spans on one line take. */
export function spansWidth(spans: readonly Styled[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** Returns how many columns the longest word takes. Chinese characters and the like are words of their own. */
export function longestWord(spans: readonly Styled[]): number {
  const runs = spans.flatMap(({ text }) => text.split(/[\s\u2e80-\u{10ffff}]+/u));
  return Math.max(0, ...runs.map(widthOf));
}

/** Breaks spans at blanks into lines of at most so many columns; a longer word is broken within. */
export function wrapSpans(spans: readonly Styled[], columns: number): Styled[][] {
  const width = Math.max(1, columns);
  const lines: Styled[][] = [[]];
  let used = 0;
  let gap: Styled | null = null;
  const breakLine = () => {
    lines.push([]);
    used = 0;
    gap = null;
  };
  for (const word of wordsOf(spans)) {
    if (word === "break") breakLine();
    else if (!Array.isArray(word)) gap = used === 0 ? null : word;
    else {
      const wide = spansWidth(word);
      if (used > 0 && used + (gap ? widthOf(gap.text) : 0) + wide > width) breakLine();
      if (gap) {
        lines.at(-1)!.push(gap);
        used += widthOf(gap.text);
        gap = null;
      }
      for (const piece of wide > width ? word.flatMap((one) => pieces(one, width)) : word) {
        const more = widthOf(piece.text);
        if (used > 0 && used + more > width) breakLine();
        lines.at(-1)!.push(piece);
        used += more;
      }
    }
  }
  return lines.map(joined);
}

/** Breaks a line wherever it is full: blanks of code count. */
export function breakSpans(spans: readonly Styled[], columns: number): Styled[][] {
  const width = Math.max(1, columns);
  const lines: Styled[][] = [[]];
  let used = 0;
  for (const piece of spans.flatMap((one) => graphemes(one))) {
    const wide = widthOf(piece.text);
    if (used + wide > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)!.push(piece);
    used += wide;
  }
  return lines.map(joined);
}

type Word = Styled[] | Styled | "break";

/** Words, each of its pieces; the blanks between them, as one; and breaks of lines. */
function wordsOf(spans: readonly Styled[]): Word[] {
  const words: Word[] = [];
  for (const { text, style } of spans) {
    for (const part of text.split(/(\n|[ \f\v]+)/)) {
      if (part === "") continue;
      if (part === "\n") words.push("break");
      else if (part.trim() === "" && !part.includes("\u00a0")) words.push({ text: part, style });
      else {
        const last = words.at(-1);
        if (Array.isArray(last)) last.push({ text: part, style });
        else words.push([{ text: part, style }]);
      }
    }
  }
  return words;
}

/** A word in pieces that are as wide as a line. */
function pieces({ text, style }: Styled, width: number): Styled[] {
  if (widthOf(text) <= width) return [{ text, style }];
  return breakSpans([{ text, style }], width).flat();
}

function graphemes({ text, style }: Styled): Styled[] {
  // Most texts need no search for what belongs together.
  const parts = /^[\x20-\x7e]*$/.test(text)
    ? [...text]
    : [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return parts.map((part) => ({ text: part, style }));
}

/** Neighbours of one style become one. */
function joined(spans: readonly Styled[]): Styled[] {
  const whole: Styled[] = [];
  for (const { text, style } of spans) {
    const last = whole.at(-1);
    if (last?.style === style) last.text += text;
    else whole.push({ text, style });
  }
  return whole;
}
