// Terminal control: CSI, OSC/DCS/APC/PM/SOS strings, other escapes, C0 (without tab, LF, CR), DEL and C1.
const CSI = "\\x1b\\[[0-?]*[ -/]*[@-~]";
const STRING = "\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?";
const ESCAPE = "\\x1b[ -/]*[0-~]?";
const SINGLE = "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";
const CONTROLS = new RegExp(`${CSI}|${STRING}|${ESCAPE}|${SINGLE}`, "g");

/** Removes what would steer a terminal from text that tools took from files, names and services. */
export function stripControls(text: string): string {
  return text.replace(CONTROLS, "");
}

/** Returns a text for one line of a terminal: without controls, and a line break is shown as `\n`. */
export function onOneLine(text: string): string {
  return stripControls(text).replace(/[\n\r]/g, (end) => end === "\n" ? "\\n" : "\\r");
}
