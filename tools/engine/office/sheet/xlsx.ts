import { ToolError } from "../../../../schemas/error.ts";
import { columnOf, createGridText } from "./grid.ts";
import { type CellFormat, createCellFormat } from "./numbers.ts";
import { type OfficePackage, targetsById } from "../package/package.ts";
import { addressOfFormula, valueWithAddress } from "../text/links.ts";
import { readPeople } from "../drawing/people.ts";
import { listenToSheet, readCellAddresses, type SheetListener } from "./sheet_extras.ts";
import { createTextBudget, type Reading, type Section } from "../text/text.ts";
import { prefixedAttribute, type XmlAttributes, type XmlHandler } from "../package/xml.ts";

const MAX_SHEETS = 1000;
const MAX_COLUMNS = 16_384;
/** Cost of a shared string besides its characters. */
const STRING_COST = 8;

interface Sheet {
  name: string;
  id: string;
  hidden: boolean;
}

/**
 * Reads an Excel workbook, a section for each sheet in the order of the workbook. Cells show their values:
 * dates as ISO if the cell has a date format, formulas by their stored value, else as `=formula`; links with their
 * addresses. Comments, drawings, charts, headers and footers stand behind the cells.
 */
export async function readXlsx(file: OfficePackage, reading: Reading): Promise<Section[]> {
  const { budget } = reading;
  const { sheets, date1904 } = await readWorkbook(file);
  const links = await file.relationships(file.main);
  const partOf = (type: string) => links.find((link) => link.type === type && file.has(link.target))?.target;
  const strings = await readStrings(file, partOf("sharedStrings"));
  const format = await createCellFormat(file, { part: partOf("styles"), date1904 });
  const targets = targetsById(links);
  const people = await readPeople(file, links);
  const shared = { ...reading, strings, format };
  const sections: Section[] = [];
  for (const [index, { name, id, hidden }] of sheets.entries()) {
    const title = `Sheet ${index + 1}: ${name}${hidden ? " (hidden)" : ""}`;
    budget.spend(title.length);
    const { type = "missing sheet", target = "" } = targets.get(id) ?? {};
    sections.push({ title, text: await sheetText(file, { type, part: target }, { ...shared, people }) });
  }
  return sections;
}

async function readWorkbook(file: OfficePackage): Promise<{ sheets: Sheet[]; date1904: boolean }> {
  const sheets: Sheet[] = [];
  let date1904 = false;
  await file.read(file.main, {
    open(name, attributes) {
      if (name === "workbookPr") date1904 = ["1", "true"].includes(attributes.date1904 ?? "");
      if (name !== "sheet" || sheets.length >= MAX_SHEETS) return;
      const { state = "visible" } = attributes;
      const id = prefixedAttribute(attributes, "id") ?? "";
      sheets.push({ name: attributes.name ?? "", id, hidden: state !== "visible" });
    },
  });
  return { sheets, date1904 };
}

async function readStrings(file: OfficePackage, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let phonetic = false;
  if (part === undefined) return strings;
  // A string counts again at each use.
  const budget = createTextBudget();
  await file.read(part, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") phonetic = true;
      if (name === "t") inText = !phonetic;
    },
    close(name) {
      if (name === "t") inText = false;
      if (name === "rPh") phonetic = false;
      if (name !== "si") return;
      budget.spend(text.length + STRING_COST);
      strings.push(unescapeText(text));
    },
    text(piece) {
      if (inText) text += piece;
    },
  });
  return strings;
}

interface SheetOptions extends Reading {
  strings: readonly string[];
  format: CellFormat;
}

async function sheetText(
  file: OfficePackage,
  { type, part }: { type: string; part: string },
  options: SheetOptions & { people: ReadonlyMap<string, string> },
): Promise<string> {
  if (!file.has(part)) return `(${type})`;
  const around = await listenToSheet(file, part, options);
  const isCells = type === "worksheet";
  if (!isCells) await file.read(part, around);
  const cells = isCells
    ? await readSheet(file, part, { ...options, around, addresses: await readCellAddresses(file, part) })
    : `(${type})`;
  return [cells, ...await around.texts()].filter((text) => text !== "").join("\n\n");
}

async function readSheet(
  file: OfficePackage,
  part: string,
  options: SheetOptions & { around: SheetListener; addresses: ReadonlyMap<string, string> },
): Promise<string> {
  const { around } = options;
  const grid = createGridText(options.budget);
  let cells: [column: number, text: string][] = [];
  let row = 0;
  let last = -1;
  const onCell = (cell: Cell) => {
    const position = columnOf(cell.position);
    last = position >= 0 ? position : last + 1;
    if (last >= MAX_COLUMNS) {
      const message =
        `The file is not read: row ${row} has cells beyond column ${MAX_COLUMNS}, the last of Excel`;
      throw new ToolError("limit_exceeded", message);
    }
    const text = withAddress(cell, cellValue(cell, options), options.addresses);
    if (text !== "") cells.push([last, text]);
  };
  const reader = cellHandler(onCell);
  await file.read(part, {
    ...reader,
    open(name, attributes) {
      around.open(name, attributes);
      if (name === "row") {
        const given = Number(attributes.r);
        row = Number.isInteger(given) && given > 0 ? given : row + 1;
        cells = [];
        last = -1;
      } else reader.open?.(name, attributes);
    },
    close(name) {
      around.close(name);
      if (name === "row") grid.addRow(row, cells);
      else reader.close?.(name);
    },
    text(piece) {
      around.text(piece);
      reader.text?.(piece);
    },
  });
  return grid.text();
}

interface Cell {
  position: string;
  type: string;
  style: number;
  value: string | null;
  /** Text that stands in the cell itself. */
  inline: string;
  formula: string | null;
}

function cellHandler(onCell: (cell: Cell) => void): XmlHandler {
  let cell: Cell | null = null;
  let target: "value" | "inline" | "formula" | null = null;
  let phonetic = false;
  return {
    open(name, attributes) {
      if (name === "c") cell = startCell(attributes);
      if (!cell) return;
      if (name === "rPh") phonetic = true;
      target = name === "v"
        ? "value"
        : name === "f"
        ? "formula"
        : name === "t" && !phonetic
        ? "inline"
        : null;
      if (name === "v") cell.value = "";
      if (name === "f") cell.formula = "";
    },
    close(name) {
      target = null;
      if (name === "rPh") phonetic = false;
      if (name !== "c" || !cell) return;
      onCell(cell);
      cell = null;
    },
    text(piece) {
      if (cell && target !== null) cell[target] = (cell[target] ?? "") + piece;
    },
  };
}

function startCell({ r = "", t = "n", s = "0" }: XmlAttributes): Cell {
  return { position: r, type: t, style: Number(s), value: null, inline: "", formula: null };
}

function withAddress(
  { position, formula }: Cell,
  text: string,
  addresses: ReadonlyMap<string, string>,
): string {
  return valueWithAddress(text, addresses.get(position) ?? addressOfFormula(formula));
}

function cellValue({ type, style, value, inline, formula }: Cell, { strings, format }: SheetOptions): string {
  if (type === "inlineStr") return unescapeText(inline);
  if (value === null || (value === "" && type !== "str")) return formula === null ? "" : `=${formula}`;
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value.trim() === "1" || value.trim() === "true" ? "TRUE" : "FALSE";
  if (type === "n") return format(value.trim(), style);
  return unescapeText(value);
}

/** Excel writes characters that XML cannot hold as `_x000D_`. */
function unescapeText(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(
    /_x([0-9A-Fa-f]{4})_/g,
    (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
