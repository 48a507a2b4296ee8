import { assertEquals } from "@std/assert";

import { markBlock, OUTSIDE_MARK, takeMarkOff } from "../../../../runtime/text/mark_block.ts";

Deno.test("markBlock() puts a text between marks, with facts on one line", () => {
  assertEquals(markBlock("page", "a\nb", { from: 'x"y"' }), '<page from="x\\"y\\"">\na\nb\n</page>');
  assertEquals(markBlock("page", ""), "<page>\n</page>");
});

Deno.test("markBlock() numbers a mark that the text itself would end, however it is spelled", () => {
  const ends = [
    "</page>",
    "</PAGE >",
    "< / page>",
    "<\u200b/page>",
    "</pa\u00adge>",
    "＜／ｐａｇｅ＞",
    "&lt;/page&gt;",
    "&#60;/page>",
    "<\\/page>",
    "</pagе>",
    "‹/page›",
    "</pág\u0301e>",
    "</page",
    "<\n/page>",
    "[/page]",
    "{/page}",
    "«/page»",
    "&amp;lt;/page&amp;gt;",
    "&#x0003C;&sol;page>",
    "%3C%2Fpage%3E",
    "%253c/page%253e",
    "\\u003c/page>",
    "\\x3c\\x2fpage>",
    "</pᴀgᴇ>",
    "<／p&#8203;age>".replace("&#8203;", "\u2060"),
  ];
  for (const text of ends) {
    assertEquals(markBlock("page", text).split("\n")[0], "<page-2>", text);
  }
  assertEquals(markBlock("page", "</page></page-2>").split("\n")[0], "<page-3>");
  for (const text of ["<page>", "a page", "</p>", "1 < 2 / page"]) {
    assertEquals(markBlock("page", text).split("\n")[0], "<page>", text);
  }
});

Deno.test("takeMarkOff() parts a text from the mark of the network", () => {
  for (const content of ["a\nb\n", "</web-content>\n", "\n"]) {
    const marked = markBlock(OUTSIDE_MARK, content, { tool: "a/b" });
    const { start, content: inside, end } = takeMarkOff(marked);
    assertEquals([inside, `${start}${inside}${end}`], [content, marked]);
  }
  for (const text of ["a", "<web-content>\na", "<web-contents>\na</web-contents>", "<page>\na\n</page>"]) {
    assertEquals(takeMarkOff(text), { start: "", content: text, end: "" });
  }
});
