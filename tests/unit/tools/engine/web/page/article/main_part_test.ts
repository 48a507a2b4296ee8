import { assertEquals } from "@std/assert";

import { findMainPart } from "../../../../../../../tools/engine/web/page/article/main_part.ts";
import { parsePage } from "../../../../../../../tools/engine/web/page/dom/parse_page.ts";

const text = (length: number) => "word ".repeat(length / 5);

/** The name of the part that is found in a page. */
const found = (html: string) => {
  const { body } = parsePage(html, "https://example.org/");
  return findMainPart(body!)?.localName ?? null;
};

Deno.test("findMainPart() counts text in nested paragraphs once", () => {
  const quotes = "<blockquote>".repeat(10) + text(100) + "</blockquote>".repeat(10);
  assertEquals(found(`<main>${quotes}</main><p>${text(400)}</p>`), null);
  assertEquals(found(`<main>${quotes}</main><p>${text(100)}</p>`), "main");
});

Deno.test("findMainPart() takes the smallest of the parts that hold nearly all", () => {
  const page = (aside: string) =>
    `<main><article><ul><li>${text(500)}</li></ul></article><p>${aside}</p></main>`;
  assertEquals(found(page("short")), "article");
  assertEquals(found(page(text(200))), "main");
});
