import { webAddress } from "../../web_address.ts";
import { createBlocks } from "./blocks.ts";
import { readChart } from "../drawing/chart.ts";
import { addressesById, addressOfField } from "../text/links.ts";
import { createListLabels } from "./lists.ts";
import { type OfficePackage, type Relationship, targetsById } from "../package/package.ts";
import { createShapes } from "../drawing/shapes.ts";
import { readParagraphStyles } from "./styles.ts";
import type { Reading, Section } from "../text/text.ts";
import { localAttribute, type XmlAttributes, type XmlHandler } from "../package/xml.ts";

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
/** What is counted where it stands, since it is no text, or no longer. */
const COUNTED: Readonly<Record<string, string>> = {
  del: "tracked deletion",
  moveFrom: "tracked move",
  pic: "picture",
  imagedata: "picture",
  OLEObject: "embedded object",
  altChunk: "imported document",
};

type Blocks = ReturnType<typeof createBlocks>;

/** A part that is being read. */
interface Part {
  blocks: Blocks;
  addresses: ReadonlyMap<string, string>;
  /** Charts and diagrams, by the ids of their relationships. */
  drawings: string[];
  reading: Reading;
}

/**
 * Reads a Word document as one section: paragraphs as lines, headings after `#`, list items after their label, tables
 * row by row with tabs between cells, text boxes after the paragraph that holds them; then foot- and endnotes and
 * comments, charts and diagrams, headers and footers.
 */
export async function readDocx(file: OfficePackage, reading: Reading): Promise<Section[]> {
  const { budget } = reading;
  const links = await file.relationships(file.main);
  const partOf = (type: string) => links.find((link) => link.type === type && file.has(link.target))?.target;
  const styles = await readParagraphStyles(file, partOf("styles"));
  const labels = await createListLabels(file, partOf("numbering"));
  const read = async (blocks: Blocks, part: string) => {
    const own = part === file.main ? links : await file.relationships(part);
    const drawings: string[] = [];
    await file.read(part, textHandler({ blocks, addresses: addressesById(own), drawings, reading }));
    return await readDrawings(file, { drawings, links: own }, reading);
  };
  const blocks = createBlocks({ styles, labels, budget });
  const drawn: string[] = [];
  for (const part of [file.main, partOf("footnotes"), partOf("endnotes"), partOf("comments")]) {
    if (part !== undefined) drawn.push(...await read(blocks, part));
  }
  const margins = new Set<string>();
  for (const { type, target } of links) {
    if ((type !== "header" && type !== "footer") || !file.has(target)) continue;
    const margin = createBlocks({ styles, labels, budget });
    await read(margin, target);
    const text = margin.text();
    if (text !== "") margins.add(`${type === "header" ? "Header" : "Footer"}: ${text}`);
  }
  return [{
    title: "",
    text: [blocks.text(), ...drawn, ...margins].filter((text) => text !== "").join("\n\n"),
  }];
}

async function readDrawings(
  file: OfficePackage,
  { drawings, links }: { drawings: readonly string[]; links: readonly Relationship[] },
  { budget }: Reading,
): Promise<string[]> {
  const targets = targetsById(links);
  const texts: string[] = [];
  for (const id of drawings) {
    const { type, target } = targets.get(id) ?? {};
    if (target === undefined || !file.has(target)) continue;
    if (type === "diagramData") {
      const shapes = createShapes({ budget });
      await file.read(target, shapes);
      texts.push(`Diagram:\n${shapes.result({ leftOut: [] })}`);
    } else texts.push(await readChart(file, target, budget));
  }
  return texts;
}

function textHandler(part: Part): XmlHandler {
  const { blocks, reading } = part;
  const fields = createFields(blocks);
  let leftOut = 0;
  let properties = 0;
  let inText = false;
  let inCode = false;
  return {
    open(name, attributes) {
      if (leftOut === 0 && properties === 0 && COUNTED[name] !== undefined) {
        reading.leftOut.add(COUNTED[name]);
      }
      if (leftOut > 0 || isLeftOut(name, { inProperties: properties > 0 })) return void leftOut++;
      if (PROPERTIES.has(name)) properties++;
      if (properties > 0) return describe(name, attributes, blocks);
      if (name === "t") inText = true;
      if (name === "instrText") inCode = true;
      fields.open(name, attributes);
      openElement(name, attributes, part);
    },
    close(name) {
      if (leftOut > 0) return void leftOut--;
      if (PROPERTIES.has(name)) properties--;
      if (properties > 0) return;
      if (name === "t") inText = false;
      if (name === "instrText") inCode = false;
      fields.close(name);
      closeElement(name, blocks);
    },
    text(text) {
      if (leftOut > 0) return;
      if (inText) blocks.addText(text);
      if (inCode) fields.addCode(text);
    },
  };
}

/** Fields, of which some are links, and some are what was chosen in a form. */
function createFields(blocks: Blocks) {
  const open: { code: string; isLink: boolean; choices: string[]; choice: number }[] = [];
  const begin = (code: string) => void open.push({ code, isLink: false, choices: [], choice: 0 });
  const show = () => {
    const field = open.at(-1);
    const address = field ? addressOfField(field.code) : null;
    if (!field || address === null) return;
    field.isLink = true;
    blocks.openLink(address);
  };
  const end = () => {
    const field = open.pop();
    if (field?.isLink) blocks.closeLink();
    const chosen = field?.choices[field.choice];
    if (chosen !== undefined) blocks.addText(chosen);
  };
  return {
    addCode: (text: string) => {
      const field = open.at(-1);
      if (field) field.code += text;
    },
    open(name: string, attributes: XmlAttributes): void {
      const value = localAttribute(attributes, "val") ?? "";
      const phase = name === "fldChar" ? localAttribute(attributes, "fldCharType") : undefined;
      if (phase === "begin") begin("");
      if (phase === "separate") show();
      if (phase === "end") end();
      if (name === "fldSimple") {
        begin(localAttribute(attributes, "instr") ?? "");
        show();
      }
      const field = open.at(-1);
      if (name === "listEntry") field?.choices.push(value);
      if (name === "result" && field) field.choice = Number(value) || 0;
      if (name === "checked" && field) blocks.addText(["0", "false"].includes(value) ? "☐" : "☒");
    },
    close(name: string): void {
      if (name === "fldSimple") end();
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

function openElement(name: string, attributes: XmlAttributes, { blocks, addresses, drawings }: Part): void {
  const id = localAttribute(attributes, "id") ?? "";
  const character = CHARACTERS[name];
  if (character !== undefined) return blocks.addText(character);
  if (name === "sym") return blocks.addText(symbolOf(localAttribute(attributes, "char")));
  if (name === "p") return blocks.openParagraph();
  if (name === "tr") return blocks.openRow();
  if (name === "tc" || name === "txbxContent") return blocks.openBlock();
  if (name === "footnoteReference") return blocks.addText(`[^${id}]`);
  if (name === "endnoteReference") return blocks.addText(`[^e${id}]`);
  if (name === "commentReference") return blocks.addText(`[^c${id}]`);
  if (name === "footnote") return blocks.openNote(id);
  if (name === "endnote") return blocks.openNote(`e${id}`);
  if (name === "comment") return blocks.openNote(`c${id}`, localAttribute(attributes, "author"));
  if (name === "hyperlink") {
    return blocks.openLink(webAddress(addresses.get(id), localAttribute(attributes, "anchor")) ?? "");
  }
  if (name === "docPr" && attributes.descr?.trim()) blocks.addText(`[image: ${attributes.descr.trim()}]`);
  if (name === "chart") drawings.push(id);
  if (name === "relIds") drawings.push(localAttribute(attributes, "dm") ?? "");
}

function closeElement(name: string, blocks: Blocks): void {
  if (name === "p") return blocks.closeParagraph();
  if (name === "tr") return blocks.closeRow();
  if (name === "tc") return blocks.closeCell();
  if (name === "txbxContent") return blocks.closeTextBox();
  if (name === "hyperlink") return blocks.closeLink();
  if (name === "footnote" || name === "endnote" || name === "comment") blocks.closeNote();
}

/** Characters of symbol fonts lie in a private range, where their meaning is unknown. */
function symbolOf(hex: string | undefined): string {
  const code = Number.parseInt(hex ?? "", 16);
  return code >= 32 && code < 0xd800 ? String.fromCharCode(code) : "";
}
