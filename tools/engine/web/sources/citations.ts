/** Numbers in brackets, alone or several: `[1]`, `[1, 3]`, `[2-4]`. */
const CITATION = /\[(\d{1,6}(?:\s*[,;\u2013-]\s*\d{1,6})*)\]/g;
/** Fenced blocks and code within a line: brackets in them are code. */
const CODE = /^(```+|~~~+)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))|`[^`\n]+`/gm;
/** Most numbers that a range stands for. */
const MOST_IN_RANGE = 100;
/** Begins a line without being a figure of it: the number of an item, a heading. */
const LINE_START = /^\s*(?:\d{1,4}[.)]\s|#.*$)/gm;

/** Returns the numbers that a text cites, each once, in ascending order. */
export function citedNumbers(text: string): number[] {
  const numbers = [...text.replace(CODE, "").matchAll(CITATION)].flatMap(([, list = ""]) =>
    list.split(/[,;]/).flatMap(numbersOf)
  );
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Returns the paragraphs that state figures and cite nothing. Headings and code are none. */
export function uncitedFigures(text: string): string[] {
  return text.replace(CODE, "").split(/\n[ \t]*\n/).map((block) => block.trim()).filter((block) => {
    const said = block.replace(LINE_START, "").replace(/\bhttps?:\S+/g, "");
    return /\d/.test(said) && citedNumbers(block).length === 0;
  });
}

function numbersOf(item: string): number[] {
  const [first = NaN, last = first] = item.split(/[\u2013-]/).map((word) => Number(word));
  if (last < first || last - first >= MOST_IN_RANGE) return [first, last];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
