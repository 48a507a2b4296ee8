import { ToolError } from "../../../../schemas/error.ts";
import { csvRows } from "../../office/sheet/csv.ts";
import { decodeText } from "../../file/decode_text.ts";
import { type Column, readColumn } from "./columns.ts";
import { parseDate } from "./dates.ts";
import { parseNumber } from "./numbers.ts";

/** The rows of a CSV file, by columns. */
export interface Table {
  columns: Column[];
  rows: number;
  /** What was repaired or guessed. */
  notes: string[];
}

const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 200;
const SAMPLE_CHARS = 4096;

/**
 * Reads a CSV file whose first row has the names of its columns.
 *
 * @throws {ToolError} `invalid_input` if it has no rows, or is no text; `limit_exceeded` for more than 1,000,000
 */
export function readTable(bytes: Uint8Array): Table {
  const { text, notes: guesses } = decodeText(bytes);
  if (text.slice(0, SAMPLE_CHARS).includes("\0")) {
    throw new ToolError("invalid_input", "The file is no text: save it as CSV first");
  }
  const rows: string[][] = [];
  for (const row of csvRows(text)) {
    if (row.every((cell) => cell.trim() === "")) continue;
    if (rows.length > MAX_ROWS) {
      throw new ToolError("limit_exceeded", `The CSV file has more than ${MAX_ROWS} rows: sum it up first`);
    }
    rows.push(row);
  }
  const notes = [...guesses];
  if (withoutHeading(rows)) {
    notes.push("The first line has one cell: it is read as a heading, not as names of columns");
  }
  if (isUnnamed(rows)) {
    notes.push("The first line has values, no names of columns: the columns are numbered");
    rows.unshift(rows[0]!.map(() => ""));
  }
  const [header, ...body] = rows;
  if (header === undefined) throw new ToolError("invalid_input", "The CSV file is empty");
  if (body.length === 0) {
    throw new ToolError("invalid_input", "The CSV file has names of columns, but no rows of values");
  }
  const odd = body.filter((row) => row.length > header.length).length;
  if (odd > 0) notes.push(`${odd} rows have more cells than the first one; the cells beyond are left out`);
  if (header.length > MAX_COLUMNS) notes.push(`Only the first ${MAX_COLUMNS} columns are read`);
  const columns = uniqueNames(header.slice(0, MAX_COLUMNS), notes).map((name, at) =>
    readColumn(name, body.map((row) => row[at] ?? ""), (note) => notes.push(note))
  );
  const filled = columns.filter(hasValues);
  if (filled.length > 0) return { columns: filled, rows: body.length, notes };
  throw new ToolError("invalid_input", "The CSV file has rows, but all of their values are missing");
}

/** Takes away lines above the names of the columns: one cell, and more below. */
function withoutHeading(rows: string[][]): boolean {
  const isHeading = ([first = [], second = []]: string[][]) =>
    count(first) === 1 && first.length < second.length && count(second) > 1;
  const count = (row: readonly string[]) => row.filter((cell) => cell.trim() !== "").length;
  const found = isHeading(rows);
  while (isHeading(rows)) rows.shift();
  return found;
}

/** Says whether the first row holds values: numbers or dates alone, that are no years and do not count the columns. */
function isUnnamed([first = [], second]: readonly string[][]): boolean {
  if (second === undefined || first.some((cell) => cell.trim() === "")) return false;
  const isDate = (cell: string) => parseDate(cell, { order: "dmy", bare: true }) !== null;
  const numbers = first.filter((cell) => !isDate(cell)).map((cell) => parseNumber(cell, "."));
  const counts = numbers.every((value, at) => at === 0 || value === numbers[at - 1]! + 1);
  return numbers.length > 0 && numbers.every((value) => value !== null) && (!counts || numbers.length === 1);
}

function hasValues({ values }: Column): boolean {
  return (values as unknown[]).some((value) => value !== null);
}

/** Columns without a name get one, and the second of two equal names a number. */
function uniqueNames(header: readonly string[], notes: string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, at) => {
    const name = cell.replace(/\s+/g, " ").trim() || `Column ${at + 1}`;
    let unique = name;
    for (let turn = 2; taken.has(unique); turn++) unique = `${name} (${turn})`;
    if (unique !== name) {
      notes.push(`The column "${name}" is there twice; the second one is "${unique}" here`);
    }
    taken.add(unique);
    return unique;
  });
}
