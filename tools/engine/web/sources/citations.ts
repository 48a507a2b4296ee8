/** Numbers in brackets, alone or several: `[1]`, `[1, 3]`, `[2-4]`, `[2]-[4]`. */
const CITATION = /\[(\d{1,6}(?:\s*[,;\u2013-]\s*\d{1,6})*)\](?:[\u2013-]\[(\d{1,6})\])?/g;
/** Code within a line: brackets in it are code. */
const CODE = /`[^`\n]+`/g;
/** Begins or ends a block of code. */
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
/** Most numbers that a range stands for. */
const MOST_IN_RANGE = 100;
/** Begins a line without being a figure of it: the number of an item, a heading. */
const LINE_START = /^[ \t>*_]*(?:\d{1,4}[.)]\s|#.*$)/gm;
/** A number that is no part of a name, such as `H2O`, `COVID-19` or `v1.2`. */
const FIGURE = /(?<![\p{L}\d_]|\p{L}-|\d[.,])\d/u;
/** Numbers in brackets that are years rather than sources. */
const YEARS = { first: 1000, last: 2999 };

/**
 * Returns the numbers that a text cites, each once, in ascending order.
 *
 * @param isSource Says whether a number is one of a source; a year in brackets is cited only then. @default none is
 */
export function citedNumbers(text: string, isSource: (number: number) => boolean = () => false): number[] {
  const numbers = [...withoutCode(text).matchAll(CITATION)].flatMap(([, list = "", last]) =>
    (last === undefined ? list : `${list}-${last}`).split(/[,;]/).flatMap(numbersOf)
  );
  const isYear = (number: number) => number >= YEARS.first && number <= YEARS.last;
  return [...new Set(numbers)].filter((number) => isSource(number) || !isYear(number)).sort((a, b) => a - b);
}

/** Returns the paragraphs that state figures and cite nothing. Headings and code are none. */
export function uncitedFigures(text: string, isSource?: (number: number) => boolean): string[] {
  return withoutCode(text).split(/\n[ \t]*\n/).map((block) => block.trim())
    .filter((block) => {
      const said = block.replace(LINE_START, "").replace(/\bhttps?:\S+/g, "");
      return FIGURE.test(said) && citedNumbers(block, isSource).length === 0;
    });
}

function numbersOf(item: string): number[] {
  const ends = item.split(/[\u2013-]/).map((word) => Number(word));
  const first = ends[0] ?? NaN;
  const last = ends.at(-1) ?? first;
  if (last < first || last - first >= MOST_IN_RANGE) return [first, last];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Leaves out blocks of code, and code within lines. Lines end with `\n` then. */
function withoutCode(text: string): string {
  let fence: string | null = null;
  const lines = text.replace(/\r\n?/g, "\n").split("\n").filter((line) => {
    const [whole = "", mark = null] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      return false;
    }
    // What begins and ends in one line is no block.
    if (mark !== null && !(mark.startsWith("`") && line.indexOf("`", whole.length) >= 0)) fence = mark;
    return fence === null;
  });
  return lines.join("\n").replace(CODE, "");
}
