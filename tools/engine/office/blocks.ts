import type { ListLabels } from "./lists.ts";
import type { ParagraphStyles } from "./styles.ts";
import { cellText, type TextBudget } from "./text.ts";

const MAX_SPAN = 64;
/** Cost of a paragraph besides its characters, so that millions of empty ones reach the limit. */
const PARAGRAPH_COST = 16;
const MAX_HEADING = 6;
const BODY_OUTLINE = 9;

/** What a paragraph's properties say. */
interface ParagraphLook {
  style?: string;
  list?: string;
  level?: number;
  outline?: number;
  joinsNext?: boolean;
}

interface Paragraph {
  look: ParagraphLook;
  text: string;
  /** Lines of text boxes that hang on it. */
  after: string[];
}

/** Lines of the document, of a cell or of a text box; a row collects cells instead. */
interface Block {
  lines: string[];
  cells: string[];
  span: number;
  /** Its mark in the text, if it is a note. */
  note: string;
}

/** Options of {@linkcode createBlocks}. */
export interface BlocksOptions {
  styles: ParagraphStyles;
  labels: ListLabels;
  budget: TextBudget;
}

/** Puts a document's paragraphs, rows, cells and text boxes together, as they open and close inside each other. */
export function createBlocks(options: BlocksOptions) {
  const { budget } = options;
  const document: Block = emptyBlock();
  const blocks: Block[] = [document];
  const paragraphs: Paragraph[] = [];
  let carried = "";
  const top = () => blocks.at(-1) ?? document;
  const pop = () => blocks.length > 1 ? blocks.pop() ?? document : emptyBlock();
  return {
    addText(text: string): void {
      budget.spend(text.length);
      const paragraph = paragraphs.at(-1);
      if (paragraph) paragraph.text += text;
    },
    describe(look: ParagraphLook): void {
      const paragraph = paragraphs.at(-1);
      if (paragraph) Object.assign(paragraph.look, look);
    },
    /** Says that the open cell spans several columns. */
    spanColumns(columns: number): void {
      if (columns >= 1) top().span = Math.min(columns, MAX_SPAN);
    },
    openParagraph(): void {
      paragraphs.push({ look: {}, text: carried, after: [] });
      carried = "";
    },
    closeParagraph(): void {
      const paragraph = paragraphs.pop();
      if (!paragraph) return;
      if (paragraph.look.joinsNext) carried = paragraph.text;
      else top().lines.push(lineOf(paragraph, options));
      append(top().lines, paragraph.after);
    },
    openRow: () => void blocks.push(emptyBlock()),
    closeRow(): void {
      const { cells } = pop();
      budget.spend(cells.length);
      top().lines.push(cells.join("\t").trimEnd());
    },
    openBlock: () => void blocks.push(emptyBlock()),
    closeCell(): void {
      const { span, ...block } = pop();
      top().cells.push(blockText(block), ...Array.from({ length: span - 1 }, () => ""));
    },
    closeTextBox(): void {
      const { lines } = pop();
      append(paragraphs.at(-1)?.after ?? top().lines, lines);
    },
    /** Begins a foot- or endnote that the text refers to by `mark`. */
    openNote: (mark: string) => void blocks.push({ ...emptyBlock(), note: mark }),
    closeNote(): void {
      const { note, ...block } = pop();
      const text = blockText(block);
      if (text !== "") document.lines.push(`[^${note}]: ${text}`);
    },
    /** Returns all lines, at most one empty line between two others. */
    text: () => document.lines.join("\n").replace(/\n{3,}/g, "\n\n").replace(/^\n+|\n+$/g, ""),
  };
}

function append(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line);
}

function emptyBlock(): Block {
  return { lines: [], cells: [], span: 1, note: "" };
}

function blockText({ lines }: Pick<Block, "lines">): string {
  return cellText(lines.filter((line) => line !== "").join(" "));
}

function lineOf({ text, look }: Paragraph, options: BlocksOptions): string {
  const lead = text.trim() === "" ? "" : leadOf(look, options);
  options.budget.spend(lead.length + PARAGRAPH_COST);
  return lead + text.trimEnd();
}

/** Returns what stands before a paragraph: `## ` for a heading, and the label of a list. */
function leadOf(look: ParagraphLook, { styles, labels }: BlocksOptions): string {
  const style = styles(look.style);
  const list = look.list ?? style.list;
  const level = look.level ?? style.level ?? 0;
  const label = list === undefined ? "" : labels.next(list, level);
  const outline = look.outline ?? style.outline;
  if (outline === undefined || !(outline >= 0 && outline < BODY_OUTLINE)) {
    return label === "" ? "" : `${"  ".repeat(Math.min(Math.max(level, 0), 8))}${label} `;
  }
  return `${"#".repeat(Math.min(outline + 1, MAX_HEADING))} ${label === "" ? "" : `${label} `}`;
}
