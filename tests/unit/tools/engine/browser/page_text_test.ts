import { assertEquals } from "@std/assert";

import type { PageLine, PageView } from "../../../../../schemas/browser/page.ts";
import { changeText, linesOf, pageText } from "../../../../../tools/engine/browser/page_text.ts";

const TAB = { id: 0, url: "https://tea.example/", title: "Tea", current: true };
const LINES: PageLine[] = [
  { text: "Tea shop" },
  { number: 3, tag: "input", about: { placeholder: "Which tea?", name: "tea", value: 'a "b"' } },
  { number: 4, tag: "button", text: "Order" },
  { number: 5, tag: "a", text: "Next", about: { href: "/next" } },
];
const PAGE: PageView = {
  ...{ url: TAB.url, title: TAB.title, tabs: [TAB], lines: LINES, more: 0 },
  scroll: { above: 0, below: 0, height: 1100 },
};

Deno.test("a page is shown with its numbers, tabs and scroll position", () => {
  assertEquals(
    pageText(PAGE),
    'URL: https://tea.example/\nTitle: Tea\nTea shop\n[3]<input name="tea" placeholder="Which tea?" value="a \\"b\\"">\n' +
      '[4]<button> Order\n[5]<a href="/next"> Next',
  );
  const second = { ...TAB, id: 2, title: "Other", current: false };
  const long = {
    ...PAGE,
    tabs: [TAB, second],
    lines: [],
    more: 7,
    scroll: { above: 5, below: 90, height: 50 },
  };
  assertEquals(pageText(long).split("\n").slice(2), [
    "Tab 0 (current): Tea (https://tea.example/)",
    "Tab 2: Other (https://tea.example/)",
    "Scrolled: 5 pixels above, 90 pixels below",
    "(7 more parts of the page are not shown: scroll to them)",
  ]);
});

Deno.test("after a small change only the change is shown", () => {
  const before = { url: PAGE.url, lines: linesOf(PAGE) };
  const head = "URL: https://tea.example/\nTitle: Tea\n";
  assertEquals(changeText(PAGE, before), `${head}The page shows the same as before.`);
  const lines = [...LINES.slice(0, 3), { number: 6, tag: "p", text: "Thanks" }];
  assertEquals(
    changeText({ ...PAGE, lines }, before),
    `${head}Changed since the last time:\n- [5]<a href="/next"> Next\n+ [6]<p> Thanks`,
  );
});

Deno.test("another page, or one that is mostly other, is shown whole", () => {
  const before = { url: PAGE.url, lines: linesOf(PAGE) };
  assertEquals(changeText(PAGE, null), pageText(PAGE));
  assertEquals(
    changeText({ ...PAGE, url: "https://tea.example/b" }, before),
    pageText({ ...PAGE, url: "https://tea.example/b" }),
  );
  const other = { ...PAGE, lines: [{ text: "All is new" }, LINES[0]!] };
  assertEquals(changeText(other, before), pageText(other));
});
