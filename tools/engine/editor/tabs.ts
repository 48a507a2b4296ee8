const TAB_STOP = 8;

/** Replaces tabs by spaces up to the next 8-column stop; every code point takes one column. */
export function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  return text.split("\n").map(expandLine).join("\n");
}

function expandLine(line: string): string {
  if (!line.includes("\t")) return line;
  let shown = "";
  let column = 0;
  for (const character of line) {
    const width = widthAt(character, column);
    shown += character === "\t" ? " ".repeat(width) : character;
    column += width;
  }
  return shown;
}

function widthAt(character: string, column: number): number {
  return character === "\t" ? TAB_STOP - column % TAB_STOP : 1;
}

/** Returns the index in a line of what stands at `shownIndex` of its expanded form; `null` inside a tab. */
export function indexBeforeExpansion(line: string, shownIndex: number): number | null {
  let index = 0;
  let shown = 0;
  let column = 0;
  for (const character of line) {
    if (shown >= shownIndex) break;
    const width = widthAt(character, column);
    shown += character === "\t" ? width : character.length;
    column += width;
    index += character.length;
  }
  return shown === shownIndex ? index : null;
}

/**
 * Puts back the tabs that the author of a replacement saw as spaces. An indentation of the replaced lines is
 * copied from them; others get one tab for 8 columns.
 *
 * @param newText Text as its author saw it
 * @param replaced The lines that it replaces, whole, as they are in the file
 * @param options.fromLineStart The replacement begins at the start of a line, so its first line has an indentation too
 */
export function restoreTabs(newText: string, replaced: string, options: { fromLineStart: boolean }): string {
  const indents = replaced.split("\n").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  if (!indents.some((indent) => indent.includes("\t"))) return newText;
  const known = new Map(indents.map((indent) => [expandLine(indent), indent]));
  const restore = (line: string, index: number) => {
    if (index === 0 && !options.fromLineStart) return line;
    return line.replace(/^ +/, (spaces) => known.get(spaces) ?? tabsFor(spaces.length));
  };
  return newText.split("\n").map(restore).join("\n");
}

function tabsFor(columns: number): string {
  return "\t".repeat(Math.floor(columns / TAB_STOP)) + " ".repeat(columns % TAB_STOP);
}
