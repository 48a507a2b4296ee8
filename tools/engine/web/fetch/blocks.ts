const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu;
/** Blocks of Markdown that are no paragraphs: headings, code, lists, tables, quotes, rules, pictures. */
const OTHER_BLOCK = /^(?: {0,3}(?:#{1,6} |[-*+] |\d+[.)] |>|\||!\[|<|(?:[-*_] ?){3,}$)| {4})/;

/** Counts the words of a text; each sign of a script without blanks counts as one. */
export function countWords(text: string): number {
  return text.match(WORDS)?.length ?? 0;
}

/** Leaves out paragraphs of Markdown with fewer words; other blocks stay. */
export function dropShortBlocks(markdown: string, least: number): string {
  let fence: string | null = null;
  const kept: string[] = [];
  for (const block of markdown.split(/\n{2,}/)) {
    const isCode = fence !== null;
    for (const line of block.split("\n")) {
      const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      if (mark === undefined) continue;
      if (fence === null) fence = mark;
      else if (line.trim().startsWith(fence)) fence = null;
    }
    const isFenced = isCode || fence !== null || /^ {0,3}(?:`{3,}|~{3,})/.test(block);
    if (isFenced || OTHER_BLOCK.test(block) || countWords(block) >= least) kept.push(block);
  }
  return kept.join("\n\n");
}
