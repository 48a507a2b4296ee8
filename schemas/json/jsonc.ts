import { parseJson } from "./json_text.ts";

/** A text, or what JSON has not: a comment. */
const TEXT_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
/** A text, or a comma before a closing bracket. */
const TEXT_OR_LAST_COMMA = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/**
 * Parses JSON with comments, and with commas after the last item, as editors allow in settings.
 *
 * @param what Names the text in the message: `file "a.json"`
 * @throws {ToolError} `invalid_input` with line, column and the broken place
 */
export function parseJsonc(text: string, what: string): unknown {
  return parseJson(text.replace(TEXT_OR_COMMENT, blank).replace(TEXT_OR_LAST_COMMA, blank), what);
}

/** Blanks keep the place of what follows. */
function blank(part: string): string {
  return part.startsWith('"') ? part : part.replace(/[^\n]/g, " ");
}
