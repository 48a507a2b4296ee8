// CSI, then OSC, DCS, APC, PM and SOS strings, then other escapes, then the eight-bit forms.
const CSI = "\\x1b\\[[0-?]*[ -/]*[@-~]";
const STRING = "\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?";
const ESCAPE = "\\x1b[ -/]*[0-~]?";
const EIGHT_BIT = "\\x9b[0-?]*[ -/]*[@-~]|[\\x80-\\x9f]";

/** Source of a regular expression for one escape sequence. */
export const ESCAPE_SEQUENCE: string = `(?:${CSI}|${STRING}|${ESCAPE}|${EIGHT_BIT})`;

const ESCAPES = new RegExp(ESCAPE_SEQUENCE, "g");

/** Removes escape sequences, such as colours and titles. */
export function stripEscapes(text: string): string {
  return text.replace(ESCAPES, "");
}
