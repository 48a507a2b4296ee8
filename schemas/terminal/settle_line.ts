import { ESCAPE_SEQUENCE } from "./strip_escapes.ts";

/** CSI C, D, G, K and P: they move within a line, or erase parts of it. */
const MOVE = "\\x1b\\[(\\d*)([CDGKP])";
const MOVES = new RegExp(`[\\r\\x08]|${MOVE}`);
const PLAIN = "[^\\r\\x08\\x1b\\x80-\\x9f]+";
const TOKENS = new RegExp(`[\\r\\x08]|${MOVE}|(${ESCAPE_SEQUENCE})|${PLAIN}`, "g");

/** Columns in which a line is written at most. */
const MAX_COLUMNS = 16_384;
/** Cells that moves may fill and erase: so many for each character of the line, beside those of some whole lines. */
const WORK_SHARE = 16;

/**
 * Returns what a terminal shows of a line at the line's end: of parts that were written over, such as the frames of a
 * progress bar, the last ones. A line without moves is returned as it is, and so is one that moves too much.
 *
 * @param line Without its line end
 */
export function settleLine(line: string): string {
  const shown = line.replace(/\r+$/, "");
  return MOVES.test(shown) ? overwrite(shown) ?? shown : shown;
}

/** Settles each line of a text in which a carriage return or a backspace moves back; other lines stay as they are. */
export function settleLines(text: string): string {
  if (!/\r(?!\n)|[\b]/.test(text)) return text;
  return text.split("\n").map((line) => /\r[^\r]|[\b]/.test(line) ? settleLine(line) : line).join("\n");
}

/** Writes a line as a terminal does, cell by cell; `null` if that is too much work. */
function overwrite(line: string): string | null {
  let cells: string[] = [];
  let column = 0;
  let work = WORK_SHARE * line.length + 4 * MAX_COLUMNS;
  for (const [token, digits = "", final, escape] of line.matchAll(TOKENS)) {
    const count = Math.min(Number(digits) || 1, MAX_COLUMNS);
    if (token === "\r") column = 0;
    else if (token === "\b") column = Math.max(0, column - 1);
    else if (final === "C") column = Math.min(column + count, MAX_COLUMNS);
    else if (final === "D") column = Math.max(0, column - count);
    else if (final === "G") column = count - 1;
    else if (final === "P") work -= cells.splice(column, count).length + Math.max(0, cells.length - column);
    else if (final === "K") {
      work -= cells.length;
      cells = erased(cells, { column, mode: digits });
    } else if (escape === undefined) {
      work -= Math.max(0, column - cells.length);
      while (cells.length < column) cells.push(" ");
      for (const character of token) cells[column++] = character;
    }
    if (work < 0) return null;
  }
  return cells.join("").trimEnd();
}

function erased(cells: readonly string[], { column, mode }: { column: number; mode: string }): string[] {
  if (mode === "2") return [];
  if (mode === "1") return cells.map((cell, at) => at <= column ? " " : cell);
  return cells.slice(0, column);
}
