import { ESCAPE_SEQUENCE, stripEscapes } from "./strip_escapes.ts";

/** CSI C, D, G, K and P: they move within a line, or erase parts of it. */
const MOVE = "\\x1b\\[(\\d*)([CDGKP])";
const MOVES = new RegExp(`[\\r\\x08]|${MOVE}`);
const TOKENS = new RegExp(`[\\r\\x08]|${MOVE}|(${ESCAPE_SEQUENCE})|.`, "gsu");
const CONTROL = "[\\0-\\x08\\x0b-\\x1f\\x7f]";
const CONTROLS = new RegExp(CONTROL, "g");
/** A sequence that has only begun; a longer one, such as a title, is not awaited. */
const BEGUN = "\\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\x07\\x1b]{0,4096}\\x1b?|[ -/]*)$";
const UNFINISHED = new RegExp(BEGUN);
/** Longest line in which moves are followed, in UTF-16 units. */
const MAX_LINE = 16_384;

/**
 * Returns a terminal's output as plain lines: without escape sequences, with `\n` as line end. Of a line that
 * was overwritten, such as a progress bar, the last content stays. Lines with only escape sequences are left
 * out.
 */
export function plainTerminalText(raw: string): string {
  const lines = raw.split("\n").map((line) => line.replace(/\r+$/, ""));
  const last = plainLine(lines.pop() ?? "");
  const shown = lines.map((line) => ({ line, text: plainLine(line) }));
  return shown.map(({ line, text }) => line !== "" && text === "" ? "" : `${text}\n`).join("") + last;
}

/** Splits off an escape sequence that has only begun at the end of a piece of output: it belongs before the next piece. */
export function splitUnfinished(raw: string): { text: string; rest: string } {
  const at = raw.search(UNFINISHED);
  return at === -1 ? { text: raw, rest: "" } : { text: raw.slice(0, at), rest: raw.slice(at) };
}

function plainLine(line: string): string {
  const settled = MOVES.test(line) && line.length <= MAX_LINE ? overwrite(line) : line;
  return stripEscapes(settled).replace(CONTROLS, "");
}

/** Writes a line as a terminal does, cell by cell. */
function overwrite(line: string): string {
  const cells: string[] = [];
  let column = 0;
  for (const [token, digits = "", final, escape] of line.matchAll(TOKENS)) {
    const count = Math.min(Number(digits) || 1, MAX_LINE);
    if (token === "\r") column = 0;
    else if (token === "\b") column = Math.max(0, column - 1);
    else if (final === "C") column = Math.min(column + count, MAX_LINE);
    else if (final === "D") column = Math.max(0, column - count);
    else if (final === "G") column = count - 1;
    else if (final === "P") cells.splice(column, count);
    else if (final === "K") eraseCells(cells, { column, mode: digits });
    else if (escape === undefined) {
      while (cells.length < column) cells.push(" ");
      cells[column++] = token;
    }
  }
  return cells.join("").trimEnd();
}

function eraseCells(cells: string[], { column, mode }: { column: number; mode: string }): void {
  if (mode === "2") cells.fill(" ");
  else if (mode === "1") cells.fill(" ", 0, column + 1);
  else cells.length = Math.min(cells.length, column);
}
