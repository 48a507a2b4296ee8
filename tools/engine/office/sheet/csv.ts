import { ToolError } from "../../../../schemas/error.ts";
import { createGridText } from "./grid.ts";
import type { Section, TextBudget } from "../text/text.ts";

/** Commas come last: between other delimiters they are often decimal points. */
const DELIMITERS = ["\t", ";", "|", ","];
/** A first line that Excel hides. */
const NAMED_DELIMITER = /^sep=(.)\r?\n/;
const MAX_COLUMNS = 16_384;
const SAMPLE_CHARS = 64 * 1024;

/**
 * Reads values parted by commas, semicolons, tabs or bars, quoted or not, as one sheet.
 *
 * @throws {ToolError} `limit_exceeded` for a row of more than 16,384 values
 */
export function readCsv(text: string, budget: TextBudget): Section[] {
  const grid = createGridText(budget);
  let row = 1;
  for (const values of csvRows(text)) {
    grid.addRow(row++, values.map((value, column) => [column, value] as const));
  }
  return [{ title: "", text: grid.text() }];
}

/**
 * Reads the rows of such a text one by one.
 *
 * @throws {ToolError} `limit_exceeded` for a row of more than 16,384 values
 */
export function csvRows(text: string): Generator<string[]> {
  return rowsOf(text.replace(NAMED_DELIMITER, ""), delimiterOf(text));
}

/** Returns the delimiter that divides most of the first lines into the same number of values. */
function delimiterOf(text: string): string {
  const named = text.match(NAMED_DELIMITER)?.[1];
  if (named !== undefined) return named;
  const sample = text.slice(0, SAMPLE_CHARS);
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = Array.from(rowsOf(sample, delimiter), (values) => values.length).slice(0, 20);
    const [first = 1] = counts;
    const same = counts.filter((count) => count === first).length;
    const score = first < 2 ? 0 : same / counts.length;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function* rowsOf(text: string, delimiter: string): Generator<string[]> {
  let values: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = text[at] === '"' ? quoted(text, at, delimiter) : plain(text, at, delimiter);
    values.push(value);
    if (values.length > MAX_COLUMNS) {
      throw new ToolError(
        "limit_exceeded",
        `The file is not read: a row has more than ${MAX_COLUMNS} values`,
      );
    }
    if (text[end] === delimiter && end + 1 < text.length) {
      at = end + 1;
      continue;
    }
    yield values;
    values = [];
    at = text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
  }
}

function plain(text: string, at: number, delimiter: string): { value: string; end: number } {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(at, end), end };
}

/** A doubled quote stands for one; what follows the closing quote belongs to the value. */
function quoted(text: string, at: number, delimiter: string): { value: string; end: number } {
  let value = "";
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const rest = plain(text, quote + 1, delimiter);
      return { value: value + rest.value, end: rest.end };
    }
    value += '"';
    from = quote + 2;
  }
}
