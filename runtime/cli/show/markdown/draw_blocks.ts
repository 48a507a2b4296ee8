import type { Token, Tokens } from "marked";

import { drawTable } from "./draw_table.ts";
import { inlineSpans } from "./inline_spans.ts";
import { breakSpans, type Canvas, paint, span, spansWidth, type Styled, wrapSpans } from "./spans.ts";

/** Longer lines of a text are hard to read. */
const MOST_COLUMNS = 100;
/** What is nested is never narrower, however deep it is. */
const LEAST_COLUMNS = 16;
const DIM = "2";

/**
 * Returns blocks of Markdown as lines for a terminal, with an empty line between them. What steers a terminal is left out.
 * Without colors it is plain text: headings have a line below them, code is indented, and its lines stay whole.
 */
export function drawBlocks(blocks: readonly Token[], canvas: Canvas): string[] {
  return joinBlocks(blocks.map((block) => drawBlock(block, canvas)), [""]);
}

/** Returns a text that is not read as Markdown as lines for a terminal, broken at blanks. */
export function drawPlain(text: string, canvas: Canvas): string[] {
  return wrapSpans([span(text.trim())], canvas.columns).map((line) => paint(line, canvas));
}

function joinBlocks(drawn: readonly string[][], between: readonly string[]): string[] {
  return drawn.filter((lines) => lines.length > 0).flatMap((lines, at) =>
    at === 0 ? lines : [...between, ...lines]
  );
}

function drawBlock(block: Token, canvas: Canvas): string[] {
  switch (block.type) {
    case "space":
    case "def":
    // Of a task, its mark stands before it.
    case "checkbox":
      return [];
    case "heading":
      return drawHeading(block as Tokens.Heading, canvas);
    case "code":
      return drawCode(block as Tokens.Code, canvas);
    case "hr":
      return [paint([{ text: (canvas.colors ? "─" : "-").repeat(textColumns(canvas)), style: DIM }], canvas)];
    case "blockquote":
      return behind(canvas.colors ? "│ " : "> ", (inner) => drawBlocks(block["tokens"] ?? [], inner), canvas);
    case "list":
      return drawList(block as Tokens.List, canvas);
    case "table":
      return drawTable({
        head: (block as Tokens.Table).header.map(({ tokens }) => inlineSpans(tokens, canvas)),
        rows: (block as Tokens.Table).rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens, canvas))),
        align: (block as Tokens.Table).align,
      }, canvas);
    case "html":
    case "blockFormula":
      return wrapped([span(block.raw.trimEnd())], canvas);
    default:
      return wrapped(inlineSpans("tokens" in block && block.tokens ? block.tokens : [block], canvas), canvas);
  }
}

function textColumns({ columns }: Canvas): number {
  return Math.min(columns, MOST_COLUMNS);
}

function wrapped(spans: readonly Styled[], canvas: Canvas): string[] {
  return wrapSpans(spans, textColumns(canvas)).map((line) => paint(line, canvas));
}

function drawHeading({ depth, tokens }: Tokens.Heading, canvas: Canvas): string[] {
  const spans = inlineSpans(tokens, canvas, depth === 1 ? "1;4" : "1");
  const lines = wrapped(spans, canvas);
  if (canvas.colors) return lines;
  const width = Math.max(...wrapSpans(spans, textColumns(canvas)).map(spansWidth));
  return [...lines, (depth === 1 ? "=" : "-").repeat(width)];
}

function drawCode({ text }: Tokens.Code, canvas: Canvas): string[] {
  const lines = span(text).text.split("\n");
  if (!canvas.colors) return lines.map((line) => line === "" ? "" : `    ${line}`);
  const bar = paint([{ text: "│ ", style: DIM }], canvas);
  return lines.flatMap((line) => breakSpans([{ text: line, style: "" }], canvas.columns - 2))
    .map((line) => `${bar}${paint(line, canvas)}`);
}

function drawList({ ordered, start, loose, items }: Tokens.List, canvas: Canvas): string[] {
  const drawn = items.map((item, at) => {
    const lead = ordered ? `${(start === "" ? 1 : start) + at}. ` : canvas.colors ? "• " : "- ";
    const mark = `${lead}${item.task ? item.checked ? "[x] " : "[ ] " : ""}`;
    const indent = " ".repeat(lead.length);
    const inner = { ...canvas, columns: Math.max(LEAST_COLUMNS, canvas.columns - mark.length) };
    const blocks = item.tokens.map((token) => drawBlock(token, inner));
    const [first = "", ...rest] = joinBlocks(blocks, item.loose ? [""] : []);
    return [`${mark}${first}`, ...rest.map((line) => line === "" ? "" : `${indent}${line}`)];
  });
  return joinBlocks(drawn, loose ? [""] : []);
}

function behind(lead: string, draw: (canvas: Canvas) => string[], canvas: Canvas): string[] {
  const inner = { ...canvas, columns: Math.max(LEAST_COLUMNS, canvas.columns - lead.length) };
  const bar = paint([{ text: lead, style: DIM }], canvas);
  return draw(inner).map((line) => `${bar}${line}`.trimEnd());
}
