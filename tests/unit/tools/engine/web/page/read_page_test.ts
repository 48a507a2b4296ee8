import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { readPage } from "../../../../../../tools/engine/web/page/read_page.ts";
import { pageReading, type PageRequest } from "../../../../../../tools/engine/web/page/reading.ts";
import { ARTICLE, paragraph } from "../../../../../support/web/pages.ts";

function read(source: string, options: Partial<PageRequest> = {}) {
  const request: PageRequest = {
    url: "https://harbour.example/news/1",
    contentType: "text/html; charset=utf-8",
    kind: "html",
    want: "article",
    maxChars: 1_000_000,
    ...options,
  };
  return pageReading.parse(readPage(new TextEncoder().encode(source), request));
}

Deno.test("readPage() gives the article of a page, and what the page says about itself", () => {
  const { text, ...facts } = read(ARTICLE);
  assertEquals(facts, {
    way: "article",
    title: "Herring return & stay",
    author: "Ann Lee, Bo Ek",
    date: "2026-03-04T05:06:07Z",
    language: "en-GB",
    site: "Harbour News",
    charset: "utf-8",
    totalChars: text.length,
    notes: [],
  });
  for (
    const part of [
      ...["First begins", "## Why now", "[tides](https://harbour.example/tides#now)"],
      ...[
        "| Year | Tons |\n| --- | --- |\n| 2025 | 12 |",
        "```js\ncatch(herring)\n```",
        "- Third begins",
        "- nets",
      ],
    ]
  ) assertStringIncludes(text, part);
  for (const part of ["Sport", "cookies", "Cod leave", "Read more", "Other stories", "Imprint"]) {
    assert(!text.includes(part), part);
  }
});

Deno.test("readPage() gives the whole page if it is asked to", () => {
  const { text, way } = read(ARTICLE, { want: "page" });
  assertEquals(way, "page");
  for (const part of ["[Sport](https://harbour.example/sport)", "First begins", "Cod leave", "Imprint"]) {
    assertStringIncludes(text, part);
  }
  assert(!text.includes("schema.org"));
});

Deno.test("readPage() says how the text was found where there is no article", () => {
  const replies = Array.from(
    { length: 12 },
    (_, at) => `<div class="replies"><p>${paragraph(`Reply${at}`)}</p></div>`,
  );
  const thread = `<header>Forum <a href=/>home</a></header><div id=content><div><p>${
    paragraph("Question")
  }</p><p>${paragraph("Details")}</p></div>${replies.join("")}</div><footer>Imprint</footer>`;
  const found = read(thread);
  assertEquals(found.way, "main");
  for (const part of ["Question begins", "Reply0 begins", "Reply11 begins"]) {
    assertStringIncludes(found.text, part);
  }
  assert(!found.text.includes("Imprint"));
  const links = read(`<nav>menu</nav>${'<p><a href="/a">One thing</a>'.repeat(3)}`);
  assertStringIncludes(links.text, "One thing");
  const onlyMenu = read("<nav>menu of all</nav>");
  assertEquals([onlyMenu.way, onlyMenu.text], ["body", "menu of all"]);
  assertEquals(read("").text, "");
});

Deno.test("readPage() takes no question about cookies for the article", () => {
  const bar = `<div class="cookie-consent"><p>${
    "We and our partners, of course, store cookies. ".repeat(20)
  }</p></div>`;
  const { text } = read(ARTICLE.replace('<div id="cookie-bar">', `${bar}<div>`));
  assert(!text.includes("partners"));
  assertStringIncludes(text, "Fourth begins");
});

Deno.test("readPage() reads pages whose elements stand anywhere", () => {
  const bare = ["First", "Second", "Third", "Fourth"].map((word) => `<p>${paragraph(word)}`).join("");
  for (
    const page of [
      bare,
      `<head><title>t</title>${bare}`,
      `<head><body>${bare}</body></html><p>after</p>`,
      `<html><html lang=de><body class=a></body><body>${bare}`,
      `<html><head></head>${bare}<body></body></html>`,
    ]
  ) {
    const { text } = read(page);
    for (const word of ["First", "Second", "Third", "Fourth"]) {
      assertStringIncludes(text, `${word} begins`, page);
    }
  }
});

Deno.test("readPage() reads a feed as its entries", () => {
  const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title><language>en</language>
<image><title>logo</title></image>
<item><title>Herring &amp; cod</title><link>/h</link><pubDate>Tue, 03 Mar 2026</pubDate>
<description><![CDATA[<p>They <b>came</b></p><script>x</script>]]></description></item><item><link>/2</link></item></channel></rss>`;
  const found = read(rss, { kind: "xml", contentType: "application/rss+xml" });
  assertEquals([found.way, found.title, found.language], ["feed", "Harbour", "en"]);
  assertEquals(
    found.text,
    "## [Herring & cod](https://harbour.example/h)\n\nTue, 03 Mar 2026\n\nThey **came**\n\n" +
      "## [https://harbour.example/2](https://harbour.example/2)",
  );
  const atom =
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>H</title><author><name>Ann</name></author><entry>
<title>One</title><link rel="self" href="/self"/><link href="/one"/><updated>2026-01-02</updated><summary>s</summary></entry></feed>`;
  const entries = read(atom, { kind: "xml" });
  assertEquals([entries.author, entries.language, entries.text], [
    "Ann",
    "de",
    "## [One](https://harbour.example/one)\n\n2026-01-02\n\ns",
  ]);
});

Deno.test("readPage() says where a page without text leads", () => {
  const leads = (content: string, body = "") =>
    read(`<head><meta http-equiv="Refresh" content="${content}"></head><body>${body}`).text;
  const latest = "This page leads on to https://harbour.example/latest/";
  assertEquals(leads("0; url=/latest/"), latest);
  assertEquals(leads("0;URL='https://harbour.example/latest/'"), latest);
  for (const content of ["30", "0; url=javascript:alert(1)", "", "x"]) assertEquals(leads(content), "");
  assertEquals(leads("0; url=/latest/", "<p>Text</p>"), "Text");
});

Deno.test("readPage() gives other texts as they came, and JSON in lines", () => {
  assertEquals(read("<a>\r\nb", { kind: "text" }).text, "<a>\nb");
  assertEquals(read("<a><b/></a>", { kind: "xml" }).way, "text");
  assertEquals(read('{"a":1}', { kind: "json" }).text, '{"a":1}');
  const long = JSON.stringify({ list: Array.from({ length: 200 }, (_, at) => at) });
  assertEquals(read(long, { kind: "json" }).text.split("\n").length, 204);
  assertEquals(read(`${long}}`, { kind: "json" }).text, `${long}}`);
});

Deno.test("readPage() cuts at the length that is asked for, and says how long the whole is", () => {
  const whole = read(ARTICLE);
  const cut = read(ARTICLE, { maxChars: 100 });
  assertEquals([cut.text, cut.totalChars], [whole.text.slice(0, 100), whole.totalChars]);
});

Deno.test("readPage() reads characters as the page or the header declares them", () => {
  const bytes = new Uint8Array([...new TextEncoder().encode("<meta charset=windows-1251><p>"), 0xcf, 0xf0]);
  const request = {
    url: "https://a.example/",
    contentType: "text/html",
    kind: "html",
    want: "page",
    maxChars: 99,
  };
  const found = readPage(bytes, request as PageRequest);
  assertEquals([found.text, found.charset], ["Пр", "windows-1251"]);
});
