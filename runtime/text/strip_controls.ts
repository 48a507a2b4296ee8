import { codesOf, MISLEADING, showHidden } from "./visible.ts";

// Terminal control: CSI, OSC/DCS/APC/PM/SOS strings, other escapes, C0 (without tab, LF, VT, FF, CR), DEL and C1.
const CSI = "\\x1b\\[[0-?]*[ -/]*[@-~]";
const STRING = "\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?";
const ESCAPE = "\\x1b[ -/]*[0-~]?";
const SINGLE = "[\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f]";
const CONTROLS = new RegExp(`${CSI}|${STRING}|${ESCAPE}|${SINGLE}`, "g");

/**
 * Removes what would steer a terminal from text of files, names and services. Form feeds and vertical tabs stay: sources
 * hold them, and a patch that is copied from the text must fit.
 */
export function stripControls(text: string): string {
  return text.replace(CONTROLS, "");
}

const LEAD = "\\x1b";
/** A control that has not come whole yet, or the first half of a character. */
const OPEN_CONTROL = new RegExp(
  `(?:${LEAD}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\x07${LEAD}]*|[ -/]*)|[\\ud800-\\udbff])$`,
);

/** Says whether a text ends in the middle of what would steer a terminal, or of a character, so that its rest must come first. */
export function endsInControl(text: string): boolean {
  return OPEN_CONTROL.test(text.slice(-MAX_CONTROL));
}

/** Longest control whose end is waited for, in characters. */
const MAX_CONTROL = 256;

const ENDS: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\v": "\\v", "\f": "\\f" };

/**
 * Returns a text for one line of a terminal, without controls. A line break is shown as `\n`, and what a reader would not
 * see, or take for something else, as its code.
 */
export function onOneLine(text: string): string {
  return showHidden(showEnds(stripControls(text)));
}

/** Returns a text for one line of a terminal, of which nothing is left out: controls are shown as their codes, too. */
export function wholeOnOneLine(text: string): string {
  return showHidden(showEnds(text));
}

/**
 * Returns a text of several lines for a terminal, without controls. A carriage return within a line, which would write
 * over its start, and a character that reverses the direction of writing are shown as what they are.
 */
export function onTerminal(text: string): string {
  return stripControls(text).replaceAll("\r\n", "\n").replaceAll("\r", "\\r").replace(MISLEADING, codesOf);
}

/** Returns a value as one line of JSON in which every character is visible. */
export function visibleJson(value: unknown): string {
  return showHidden(JSON.stringify(value) ?? "");
}

function showEnds(text: string): string {
  return text.replace(/[\n\r\v\f]/g, (end) => ENDS[end] ?? "");
}
