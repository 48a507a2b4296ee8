// deno-lint-ignore-file no-console
// Compares what is read of pages with what a set of pages expects:
//   deno run --allow-read --allow-env scripts/measure_pages.ts FOLDER
// FOLDER holds a folder for each page, with its source.html and the article as expected.html: test/test-pages of
// https://github.com/mozilla/readability.
import { join } from "@std/path";

import { parsePage } from "../tools/engine/web/page/dom/parse_page.ts";
import { readPage } from "../tools/engine/web/page/read_page.ts";

const URL_OF_PAGES = "http://fakehost/test/page.html";
/** Pages that are shown because they differ most. */
const WORST = 10;

const [folder] = Deno.args;
if (folder === undefined) throw new Error("Name the folder that holds the pages");

const scores = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory).map(({ name }) => {
  const expected = parsePage(Deno.readTextFileSync(join(folder, name, "expected.html")), URL_OF_PAGES);
  return { name, ...compare(articleOf(join(folder, name, "source.html")), expected.body?.textContent ?? "") };
});
const mean = (of: (score: typeof scores[number]) => number) =>
  scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
const sorted = scores.toSorted((a, b) => a.f1 - b.f1);
console.log(
  `${scores.length} pages: F1 median ${sorted[sorted.length >> 1]?.f1.toFixed(3)}, mean ${
    mean(({ f1 }) => f1).toFixed(3)
  }, precision ${mean(({ precision }) => precision).toFixed(3)}, recall ${
    mean(({ recall }) => recall).toFixed(3)
  }`,
);
for (const { name, f1, precision, recall } of sorted.slice(0, WORST)) {
  console.log(`${f1.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})  ${name}`);
}

function articleOf(path: string): string {
  const request = {
    url: URL_OF_PAGES,
    contentType: "text/html; charset=utf-8",
    kind: "html" as const,
    want: "article" as const,
    maxChars: Infinity,
  };
  return plain(readPage(Deno.readFileSync(path), request).text);
}

/** Takes the marks of Markdown away. */
function plain(markdown: string): string {
  return markdown.replace(/\]\([^)]*\)/g, "]").replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("<br>", " ");
}

/** Compares the words of two texts, as often as each occurs. */
function compare(found: string, expected: string): { precision: number; recall: number; f1: number } {
  const [has, wants] = [countWords(found), countWords(expected)];
  let both = 0;
  for (const [word, count] of has) both += Math.min(count, wants.get(word) ?? 0);
  const total = (words: Map<string, number>) => [...words.values()].reduce((sum, count) => sum + count, 0);
  const [hasTotal, wantsTotal] = [total(has), total(wants)];
  if (hasTotal === 0 || wantsTotal === 0) {
    const same = Number(hasTotal === wantsTotal);
    return { precision: same, recall: same, f1: same };
  }
  const [precision, recall] = [both / hasTotal, both / wantsTotal];
  return { precision, recall, f1: both === 0 ? 0 : 2 * precision * recall / (precision + recall) };
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
