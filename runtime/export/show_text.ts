import { onTerminal } from "../text/strip_controls.ts";
import { type Html, markup } from "./html.ts";

/** Longest text that is shown whole, in characters, and how many all texts have together. */
const MAX_TEXT = 100_000;
const MAX_TEXTS = 24_000_000;

/** Shows texts of a page in bounds. */
export class BoundedTexts {
  #left = MAX_TEXTS;

  /** Returns a text without controls, with a note if it is cut. */
  show(text: string): Html {
    const most = Math.min(MAX_TEXT, this.#left);
    const kept = onTerminal(text.length > most ? text.slice(0, most) : text);
    this.#left -= Math.min(text.length, most);
    return text.length > most
      ? markup`${kept}<span class="dim"> … ${text.length - most} more characters are not shown</span>`
      : markup`${kept}`;
  }
}

/** Returns a time of ISO 8601 as people read it: `2026-01-31 12:00:00 UTC`. */
export function shownTime(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, "$1 $2 UTC");
}
