import { assert, assertEquals } from "@std/assert";

import page from "../../../../tools/readers/page.ts";
import { rounds } from "../../../support/tier.ts";

/** What a page may have of one thing: about a MB at each change, 10 MB before a release. */
const SIZE = rounds(1, 10);

const SENTENCE = "Some text, with commas, of a page that never ends. ";

/** Pages that are made to use up time or memory, and what is still told of them. */
const HOSTILE: Readonly<Record<string, { html: string; told: string }>> = {
  "100,000 elements in each other": { html: `${"<div>".repeat(100_000)}text here`, told: "text here" },
  "tags that are never closed": { html: "<div><p>text ".repeat(50_000), told: "text" },
  "very many links": {
    html: Array.from({ length: 40_000 * SIZE }, (_, at) => `<a href="/p/${at}">x${at}</a>`).join(""),
    told: "[x0]",
  },
  "lists in lists": { html: "<ul><li>item ".repeat(50_000), told: "item" },
  "terms in terms": { html: "<dl><dt>a<dd>b ".repeat(50_000), told: "**a**" },
  "tables in tables": { html: "<p><b><i><table><tr><td>x".repeat(20_000), told: "x" },
  "quotes in quotes": { html: `<blockquote>${SENTENCE}`.repeat(30_000), told: "> Some text" },
  "cells that span a million columns": {
    html: `<table>${"<tr><td colspan=1000000 rowspan=1000000>x<td>y".repeat(200)}`,
    told: "x",
  },
  "very many attributes": {
    html: `<p ${Array.from({ length: 50_000 * SIZE }, (_, at) => `a${at}=1`).join(" ")}>text`,
    told: "text",
  },
  "a large picture in the page": {
    html: `<p>text<img src="data:image/png;base64,${"A".repeat(900_000 * SIZE)}">`,
    told: "text",
  },
  "very many comments that begin": { html: `<p>text${"<!--".repeat(150_000 * SIZE)}`, told: "text" },
  "very many brackets": { html: "<".repeat(800_000 * SIZE), told: "<" },
  "names in names": {
    html: `<script type="application/ld+json">{"@type":"Article","headline":${'{"name":'.repeat(100_000)}"x"${
      "}".repeat(100_000)
    }}</script><p>text`,
    told: "text",
  },
  "a very long title": { html: `<title>${"a - ".repeat(230_000 * SIZE)}</title><p>text`, told: "text" },
  "one very long paragraph": { html: `<p>${SENTENCE.repeat(18_000 * SIZE)}`, told: "Some text" },
  "preformatted lines without end": { html: `<pre>${"x\n".repeat(450_000 * SIZE)}`, told: "x" },
};

for (const [title, { html, told }] of Object.entries(HOSTILE)) {
  Deno.test(`the reader of pages ends with ${title}`, async () => {
    const request = {
      url: "https://a.example/",
      contentType: "text/html",
      kind: "html",
      want: "article",
      maxChars: 2_000_000,
    };
    const bytes = new TextEncoder().encode(html);
    const reading = page.output.parse(await page.run(page.input.parse(request), { bytes } as never));
    assert(reading.text.includes(told), reading.text.slice(0, 100));
    assert(reading.totalChars <= 2_000_000);
  });
}

Deno.test("the reader of pages holds nothing, and has 15 seconds", () => {
  assertEquals([page.needs, page.limits.timeoutMs], [{}, 15_000]);
});
