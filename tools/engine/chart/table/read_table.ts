import { ToolError } from "../../../../schemas/error.ts";
import { csvRows } from "../../office/csv.ts";
import { decodeText } from "../../file/decode_text.ts";
import { type Column, readColumn } from "./columns.ts";

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
  const { text, notes } = decodeText(bytes);
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
  return { columns: columns.filter(hasValues), rows: body.length, notes };
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
