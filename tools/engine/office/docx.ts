import { createBlocks } from "./blocks.ts";
import { createListLabels } from "./lists.ts";
import type { OfficePackage } from "./package/package.ts";
import { readParagraphStyles } from "./styles.ts";
import type { Section, TextBudget } from "./text.ts";
import { localAttribute, type XmlAttributes, type XmlHandler } from "./package/xml.ts";

/** Content that is not part of the text: deleted or moved away, phonetic, or there twice for old programs. */
const LEFT_OUT: ReadonlySet<string> = new Set(["del", "moveFrom", "rt", "Fallback"]);
/** Elements that describe others; their content is not text. */
const PROPERTIES: ReadonlySet<string> = new Set(["pPr", "rPr", "trPr", "tcPr", "tblPr", "sectPr", "sdtPr"]);
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "\u2011",
};

type Blocks = ReturnType<typeof createBlocks>;

/**
 * Reads a Word document as one section: paragraphs as lines, headings after `#`, list items after their label, tables
 * row by row with tabs between cells, text boxes after the paragraph that holds them, foot- and endnotes at the end.
 */
export async function readDocx(file: OfficePackage, budget: TextBudget): Promise<Section[]> {
  const links = await file.relationships(file.main);
  const partOf = (type: string) => links.find((link) => link.type === type && file.has(link.target))?.target;
  const styles = await readParagraphStyles(file, partOf("styles"));
  const labels = await createListLabels(file, partOf("numbering"));
  const blocks = createBlocks({ styles, labels, budget });
  for (const part of [file.main, partOf("footnotes"), partOf("endnotes")]) {
    if (part !== undefined) await file.read(part, textHandler(blocks));
  }
  return [{ title: "", text: blocks.text() }];
}

function textHandler(blocks: Blocks): XmlHandler {
  let leftOut = 0;
  let properties = 0;
  let inText = false;
  return {
    open(name, attributes) {
      if (leftOut > 0 || isLeftOut(name, { inProperties: properties > 0 })) return void leftOut++;
      if (PROPERTIES.has(name)) properties++;
      if (properties > 0) return describe(name, attributes, blocks);
      if (name === "t") inText = true;
      openElement(name, attributes, blocks);
    },
    close(name) {
      if (leftOut > 0) return void leftOut--;
      if (PROPERTIES.has(name)) properties--;
      if (properties > 0) return;
      if (name === "t") inText = false;
      closeElement(name, blocks);
    },
    text(text) {
      if (inText && leftOut === 0) blocks.addText(text);
    },
  };
}

/** Among properties stand old ones, and these names only mark what was deleted. */
function isLeftOut(name: string, { inProperties }: { inProperties: boolean }): boolean {
  return inProperties ? name.endsWith("PrChange") : LEFT_OUT.has(name);
}

function describe(name: string, attributes: XmlAttributes, blocks: Blocks): void {
  const value = localAttribute(attributes, "val") ?? "";
  if (name === "pStyle") blocks.describe({ style: value });
  if (name === "numId") blocks.describe({ list: value });
  if (name === "ilvl") blocks.describe({ level: Number(value) });
  if (name === "outlineLvl") blocks.describe({ outline: Number(value) });
  // The end of the paragraph was deleted: it goes on with the next one.
  if (name === "del") blocks.describe({ joinsNext: true });
  if (name === "gridSpan") blocks.spanColumns(Number(value));
}

function openElement(name: string, attributes: XmlAttributes, blocks: Blocks): void {
  const id = localAttribute(attributes, "id") ?? "";
  const character = CHARACTERS[name];
  if (character !== undefined) return blocks.addText(character);
  if (name === "sym") return blocks.addText(symbolOf(localAttribute(attributes, "char")));
  if (name === "p") return blocks.openParagraph();
  if (name === "tr") return blocks.openRow();
  if (name === "tc" || name === "txbxContent") return blocks.openBlock();
  if (name === "footnoteReference") return blocks.addText(`[^${id}]`);
  if (name === "endnoteReference") return blocks.addText(`[^e${id}]`);
  if (name === "footnote") return blocks.openNote(id);
  if (name === "endnote") blocks.openNote(`e${id}`);
}

function closeElement(name: string, blocks: Blocks): void {
  if (name === "p") return blocks.closeParagraph();
  if (name === "tr") return blocks.closeRow();
  if (name === "tc") return blocks.closeCell();
  if (name === "txbxContent") return blocks.closeTextBox();
  if (name === "footnote" || name === "endnote") blocks.closeNote();
}

/** Characters of symbol fonts lie in a private range, where their meaning is unknown. */
function symbolOf(hex: string | undefined): string {
  const code = Number.parseInt(hex ?? "", 16);
  return code >= 32 && code < 0xd800 ? String.fromCharCode(code) : "";
}
