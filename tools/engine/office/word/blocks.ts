import { linkText } from "../text/links.ts";
import type { ListLabels } from "./lists.ts";
import type { ParagraphStyles } from "./styles.ts";
import { cellText, type TextBudget } from "../text/text.ts";

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
  /** Its mark in the text and its author, if it is a note. */
  note: string;
  author: string;
}

/** An open link: where it begins in which open paragraph. */
interface Link {
  address: string;
  paragraph: number;
  at: number;
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
  const links = createLinks(paragraphs, budget);
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
    /** Begins a link, which ends with its paragraph at the latest. */
    openLink: links.open,
    closeLink: links.close,
    closeParagraph(): void {
      links.endParagraph();
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
    /** Begins a foot- or endnote or a comment that the text refers to by `mark`. */
    openNote: (mark: string, author = "") => void blocks.push({ ...emptyBlock(), note: mark, author }),
    closeNote: () => append(document.lines, noteLines(pop())),
    /** Returns all lines, at most one empty line between two others. */
    text: () => document.lines.join("\n").replace(/\n{3,}/g, "\n\n").replace(/^\n+|\n+$/g, ""),
  };
}

/** Writes links into the paragraphs that are open. */
function createLinks(paragraphs: readonly Paragraph[], budget: TextBudget) {
  const links: Link[] = [];
  const apply = ({ paragraph: index, at, address }: Link) => {
    const paragraph = paragraphs[index];
    if (paragraph) paragraph.text = paragraph.text.slice(0, at) + linkText(paragraph.text.slice(at), address);
  };
  return {
    open(address: string): void {
      budget.spend(address.length);
      links.push({ address, paragraph: paragraphs.length - 1, at: paragraphs.at(-1)?.text.length ?? 0 });
    },
    close(): void {
      const link = links.pop();
      if (link) apply(link);
    },
    endParagraph(): void {
      for (const link of links) {
        if (link.paragraph !== paragraphs.length - 1) continue;
        apply(link);
        link.paragraph = -1;
      }
    },
  };
}

function noteLines({ note, author, ...block }: Block): string[] {
  const text = blockText(block);
  return text === "" ? [] : [`[^${note}]: ${author === "" ? "" : `${cellText(author)}: `}${text}`];
}

function append(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line);
}

function emptyBlock(): Block {
  return { lines: [], cells: [], span: 1, note: "", author: "" };
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
