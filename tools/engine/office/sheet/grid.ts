import { cellText, type TextBudget } from "../text/text.ts";

/** More empty cells in a row than this are not written. */
const LONGEST_GAP = 20;
const MAX_HEADED_COLUMNS = 100;

/** Rows of a sheet as lines of text. */
export interface GridText {
  /** Adds one row. Cells come by their columns, counted from 0, in rising order; empty ones may be left out. */
  addRow(row: number, cells: readonly (readonly [column: number, text: string])[]): void;
  /** Returns a line of column letters and the lines of all rows, empty if there are no rows. */
  text(): string;
}

/**
 * Writes a sheet so that each cell's position is clear: a first line of column letters, then a line for each
 * row that has values, of its number and its cells, parted by tabs. After a gap of more than 20 empty cells,
 * cells are written with their positions, as `AZ7: value`.
 */
export function createGridText(budget: TextBudget): GridText {
  const lines: string[] = [];
  let columns = 0;
  return {
    addRow(row, cells) {
      let line = `${row}`;
      let next = 0;
      let placed = true;
      for (const [column, value] of cells) {
        const text = cellText(value);
        if (text === "" || column < next) continue;
        budget.spend(text.length + column - next + 1);
        placed &&= column - next <= LONGEST_GAP;
        if (placed) {
          line += `${"\t".repeat(column - next + 1)}${text}`;
          columns = Math.max(columns, Math.min(column + 1, MAX_HEADED_COLUMNS));
        } else line += `\t${columnName(column)}${row}: ${text}`;
        next = column + 1;
      }
      if (next === 0) return;
      budget.spend(1);
      lines.push(line);
    },
    text() {
      if (lines.length === 0) return "";
      const header = Array.from({ length: columns }, (_, column) => `\t${columnName(column)}`).join("");
      return [...(header === "" ? [] : [header]), ...lines].join("\n");
    },
  };
}

/** Returns the letters of a column, counted from 0: A, B … Z, AA. */
export function columnName(column: number): string {
  let name = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + (rest - 1) % 26) + name;
  }
  return name;
}

/** Returns the column, counted from 0, of a position such as `C7`; -1 if it names no column. */
export function columnOf(position: string): number {
  let column = 0;
  for (const letter of position.match(/^[A-Za-z]{1,3}(?=\d)/)?.[0].toUpperCase() ?? "") {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}
