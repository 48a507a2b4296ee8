import type { PageElement, PageLine, PageView } from "../../../schemas/browser/page.ts";

/** Attributes that are shown, in this order; others follow. */
const FIRST = ["type", "name", "placeholder", "role", "href", "value"];

/** Shows a page as text: where it is, its tabs, how far it is scrolled, and its numbered elements between its texts. */
export function pageText(page: PageView): string {
  return [...headLines(page), ...page.lines.map(lineText), ...moreLines(page)].join("\n");
}

/** Returns the lines of a page as text. */
export function linesOf(page: PageView): string[] {
  return page.lines.map(lineText);
}

/**
 * Shows what of a page is not as it was. A page that is another one, or mostly, is shown whole.
 *
 * @param before The page as it was shown the last time, `null` if it was not
 */
export function changeText(page: PageView, before: { url: string; lines: readonly string[] } | null): string {
  const lines = linesOf(page);
  if (before === null || before.url !== page.url) return pageText(page);
  const [old, now] = [counted(before.lines), counted(lines)];
  const added = lines.filter((line) => take(old, line));
  const gone = before.lines.filter((line) => take(now, line));
  if (added.length + gone.length > Math.max(lines.length, before.lines.length) / 2) return pageText(page);
  if (added.length + gone.length === 0) {
    return [...headLines(page), "The page shows the same as before."].join("\n");
  }
  return [
    ...headLines(page),
    "Changed since the last time:",
    ...gone.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
  ].join("\n");
}

/** Shows one line of a page. */
export function lineText(line: PageLine): string {
  return "number" in line ? elementText(line) : line.text;
}

function elementText({ number, tag, text = "", about = {} }: PageElement): string {
  const rank = (name: string) => FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
  const names = Object.keys(about).toSorted((one, other) => rank(one) - rank(other));
  const said = names.map((name) => ` ${name}=${JSON.stringify(about[name])}`).join("");
  return `[${number}]<${tag}${said}>${text === "" ? "" : ` ${text}`}`;
}

function headLines({ url, title, tabs, scroll: { above, below } }: PageView): string[] {
  const shown = tabs.length > 1
    ? tabs.map((tab) => `Tab ${tab.id}${tab.current ? " (current)" : ""}: ${tab.title} (${tab.url})`)
    : [];
  return [
    `URL: ${url}`,
    `Title: ${title}`,
    ...shown,
    ...above + below > 0 ? [`Scrolled: ${above} pixels above, ${below} pixels below`] : [],
  ];
}

function moreLines({ more }: PageView): string[] {
  return more === 0 ? [] : [`(${more} more parts of the page are not shown: scroll to them)`];
}

function counted(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Says whether a line is none of those that are left, and takes it from them. */
function take(left: Map<string, number>, line: string): boolean {
  const count = left.get(line) ?? 0;
  if (count > 0) left.set(line, count - 1);
  return count === 0;
}
