import { settleLine } from "../../../schemas/terminal/settle_line.ts";
import { stripEscapes } from "../../../schemas/terminal/strip_escapes.ts";

const CONTROL = "[\\0-\\x08\\x0b-\\x1f\\x7f]";
const CONTROLS = new RegExp(CONTROL, "g");
/** A sequence that has only begun; a longer one, such as a title, is not awaited. */
const BEGUN = "\\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\x07\\x1b]{0,4096}\\x1b?|[ -/]*)$";
const UNFINISHED = new RegExp(BEGUN);

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
  return stripEscapes(settleLine(line)).replace(CONTROLS, "");
}
