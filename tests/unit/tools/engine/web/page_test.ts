import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { findMainPart } from "../../../../../tools/engine/web/page/article/main_part.ts";
import { parsePage } from "../../../../../tools/engine/web/page/dom/parse_page.ts";
import { MAX_MARKDOWN, writeMarkdown } from "../../../../../tools/engine/web/page/markdown/write_markdown.ts";
import { MAX_LIST_DEPTH } from "../../../../../tools/engine/web/page/markdown/writer.ts";
import { readPage } from "../../../../../tools/engine/web/page/read_page.ts";
import { readableJson } from "../../../../../tools/engine/web/page/readable_json.ts";
import { pageReading, type PageRequest } from "../../../../../tools/engine/web/page/reading.ts";
import { ARTICLE, paragraph } from "../../../../support/web/pages.ts";

function read(source: string | Uint8Array, options: Partial<PageRequest> = {}) {
  const request: PageRequest = {
    url: "https://harbour.example/news/1",
    contentType: "text/html; charset=utf-8",
    kind: "html",
    want: "article",
    maxChars: 1_000_000,
    ...options,
  };
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  return pageReading.parse(readPage(bytes, request));
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
  const parts = [
    "First begins",
    "## Why now",
    "[tides](https://harbour.example/tides#now)",
    "| Year | Tons |\n| --- | --- |\n| 2025 | 12 |",
    "```js\ncatch(herring)\n```",
    "- Third begins",
    "- nets",
  ];
  for (const part of parts) assertStringIncludes(text, part);
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

const SENTENCE = "The harbour was quiet in the morning, and the boats lay still. ";

/** Pages of which a part was lost: what is read, what is not, and what is said about it. */
const WHOLE:
  readonly (readonly [what: string, body: string, has: string[], hasNot: string[], note?: string])[] = [
    [
      "the part that is named as the content, beside a longer box",
      `<div class="newsletter-modal"><p>${"Subscribe to our letters, now, please. ".repeat(20)}</p></div>` +
      '<div role="main"><h2>Short news</h2><p>The ferry is late.</p></div>',
      ["The ferry is late"],
      ["Subscribe"],
    ],
    [
      "what is sent hidden, where the page shows little",
      `<div>Loading</div><div hidden id="S:0"><h1>Head</h1><p>${SENTENCE.repeat(6)}</p></div>`,
      ["The harbour was quiet"],
      [],
      "The page shows 7 characters; 1 hidden block of 381 characters, which its scripts may show, was read too",
    ],
    [
      "a template that a script moves, where the page shows little",
      `<div>Loading</div><template id="T9"><p>${
        SENTENCE.repeat(6)
      }</p></template><script>move("T9")</script>`,
      ["The harbour was quiet"],
      [],
    ],
    [
      "both, where a long box about cookies stands in the content",
      `<div id="content"><div class="cookie-notice"><p>${
        "We store cookies, of course, for you. ".repeat(20)
      }</p></div>` +
      "<p>The ferry is late.</p></div>",
      ["The ferry is late", "We store cookies"],
      [],
    ],
    ["the text for readers without scripts", "<noscript><p>All of the text</p></noscript>", [
      "All of the text",
    ], []],
    [
      "nothing hidden, where the page shows enough",
      `<article><h1>A</h1><p>${SENTENCE.repeat(9)}</p></article><div hidden>${
        SENTENCE.repeat(6)
      }secret</div>`,
      ["The harbour"],
      ["secret"],
    ],
    [
      "shadow trees with their slots, and documents inside of frames, but no other template",
      `<article><p>${
        SENTENCE.repeat(9)
      }</p><x-card><template shadowrootmode="open"><p>Shadow <slot>none</slot></p></template>` +
      '<b>light</b></x-card><template><p>later</p></template><iframe srcdoc="<p>Inner</p>"></iframe></article>',
      ["Shadow **light**", "Inner"],
      ["later", "none"],
    ],
    [
      "where its frames are",
      '<p>Text</p><iframe src="/map" title="Map"></iframe><iframe src="/dot" width="1" height="1"></iframe>',
      ["[Frame: Map](https://harbour.example/map)"],
      ["/dot"],
    ],
    [
      "that its scripts have data",
      `<div id="app"></div><script id="__NEXT_DATA__" type="application/json">{"a":"${
        "x".repeat(2000)
      }"}</script>`,
      [],
      [],
      "The page shows little text; its scripts have data, which the source of the page holds: __NEXT_DATA__ (2008 characters)",
    ],
  ];

for (const [what, body, has, hasNot, note] of WHOLE) {
  Deno.test(`readPage() gives ${what}`, () => {
    const { text, notes } = read(`<!doctype html><title>T</title><body>${body}</body>`);
    for (const part of has) assertStringIncludes(text, part);
    for (const part of hasNot) assert(!text.includes(part), text);
    if (note !== undefined) assertEquals(notes, [note]);
  });
}

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
  const { text, charset } = read(bytes, { contentType: "text/html" });
  assertEquals([text, charset], ["Пр", "windows-1251"]);
});

const LONG = `"${"x".repeat(400)}"`;

Deno.test(
  "readableJson() writes a value a line, and changes nothing but blanks",
  { permissions: "none" },
  () => {
    const source =
      ` {"b":12345678901234567890, "a":1.50e3,"a":"{\\"\\u00e9,[" ,"10":[ ],"9":{},"l":[true, null ,[-0]],"x":${LONG}}\n`;
    assertEquals(
      readableJson(source),
      `{
  "b": 12345678901234567890,
  "a": 1.50e3,
  "a": "{\\"\\u00e9,[",
  "10": [],
  "9": {},
  "l": [
    true,
    null,
    [
      -0
    ]
  ],
  "x": ${LONG}
}`,
    );
  },
);

Deno.test("readableJson() leaves alone what is short, not JSON, or too deep", { permissions: "none" }, () => {
  const deep = `${"[".repeat(5_000)}${LONG}${"]".repeat(5_000)}`;
  const wide = `${"[".repeat(150)}${"1,".repeat(100_000)}1${"]".repeat(150)}`;
  for (const source of ['{"a":1}', `{"a":${LONG}`, `${LONG},`, deep, wide, `"${"\\\\".repeat(300)}`]) {
    assertEquals(readableJson(source), source);
  }
  assertEquals(readableJson(LONG), LONG);
});

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

const PAGE = "https://shop.example/guide/page.html";

function written(html: string): string {
  const { body, baseURI } = parsePage(html, PAGE);
  return writeMarkdown(body!, { base: baseURI, page: PAGE }).text;
}

/** What HTML becomes, by what it shows. */
const CASES: Readonly<Record<string, readonly (readonly [html: string, markdown: string])[]>> = {
  "paragraphs and headings": [
    ["one\n  two<p>three<p>four", "one two\n\nthree\n\nfour"],
    ["<h1>A <em>b</em></h1><h3>c</h3><h6></h6>", "# A *b*\n\n### c"],
    ["<div>a<div>b</div>c</div><hr>", "a\n\nb\n\nc\n\n---"],
    ["<h2>Use<a href='#use' class=headerlink>¶</a></h2>", "## Use"],
    ["a<br><br>b<br> <br> <br>c", "a\n\nb\n\nc"],
    ["a<br>b<script>x()</script><style>p{}</style>", "a  \nb"],
  ],
  "marks in text": [
    ["a <b> c </b>d", "a **c** d"],
    ["<strong><b>x</b></strong> <i></i>y", "**x** y"],
    ["<del>old</del> <code>a`b</code> <kbd>Ctrl</kbd>", "~~old~~ ``a`b`` `Ctrl`"],
    ["x<sup>2</sup> and CO<sub>2</sub> <q>so</q>", "x^2 and CO2 “so”"],
    ["<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"],
  ],
  "characters that Markdown reads as marks": [
    [
      "<p>2 * 3 * 4 and *this* in C:\\dir, snake_case, a &lt; b, &lt;b>",
      "2 * 3 * 4 and \\*this\\* in C:\\dir, snake_case, a < b, \\<b>",
    ],
    [
      "<p>1. no list<p># no heading<p>- no item<p>&gt; no quote",
      "1\\. no list\n\n\\# no heading\n\n\\- no item\n\n\\> no quote",
    ],
    ["<p>see [1] and [x](y)<p>```", "see [1] and [x\\](y)\n\n\\`\\`\\`"],
  ],
  links: [
    [
      "<a href=/a>x</a> <a href='b.html?q=(1)'>y</a>",
      "[x](https://shop.example/a) [y](https://shop.example/guide/b.html?q=%281%29)",
    ],
    ["<a href='javascript:x()'>x</a> <a href='data:,a'>y</a> <a href='#z'>z</a>", "x y z"],
    [`<a href="${PAGE}#z">z</a> <a href=/e></a>`, "z"],
    ["<a href=/card><h3>Title</h3><p>Text</a>", "### [Title](https://shop.example/card)\n\nText"],
    ["<a href=/a>see [2]</a>", "[see \\[2\\]](https://shop.example/a)"],
    ["<base href='https://cdn.example/x/'><a href=y>y</a>", "[y](https://cdn.example/x/y)"],
    [
      "<img src=a.png alt='A cat'><img src=b.png><img src='data:image/png;base64,x' alt=c>",
      "![A cat](https://shop.example/guide/a.png)c",
    ],
    [
      "<figure><img src=b.png><figcaption>Caption</figcaption></figure>",
      "![](https://shop.example/guide/b.png)\n\nCaption",
    ],
  ],
  lists: [
    ["<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"],
    ["<ol start=9><li>a<li><p>b<p>c</ol>", "9. a\n\n10. b\n\n    c"],
    [
      "<ul><li><input type=checkbox checked> done<li><label><input type=checkbox> open</label></ul>",
      "- [x] done\n- [ ] open",
    ],
    ["<ul><li>x<pre>code</pre></ul>", "- x\n\n  ```\n  code\n  ```"],
    ["<dl><dt>term<dd>meaning<dt>other<dd>one<dd>two</dl>", "**term**\n: meaning\n\n**other**\n: one\n: two"],
    ["<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"],
    ["<details><summary>More</summary>text</details>", "**More**\n\ntext"],
  ],
  code: [
    ["<pre>\n  a\n\n b  </pre>", "```\n  a\n\n b\n```"],
    ["<pre><code class='language-ts'>x &lt; y</code></pre>", "```ts\nx < y\n```"],
    ["<div class='highlight highlight-source-rust'><pre>fn</pre></div>", "```rust\nfn\n```"],
    ["<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"],
    ["<pre><span class=lineno>1</span>x<br><span class=lineno>2</span>y</pre>", "```\nx\ny\n```"],
    ["<pre><a data-nosnippet href=#1>1</a>x\n<a data-nosnippet href=#2>2</a>y</pre>", "```\nx\ny\n```"],
    ["<table><tr><td class=gutter><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```"],
  ],
  tables: [
    ["<table><tr><th>a<th>b<tr><td>1<td>x|y</table>", "| a | b |\n| --- | --- |\n| 1 | x\\|y |"],
    [
      "<table><caption>T</caption><tr><td colspan=2>a<td>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
      "T\n\n| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |",
    ],
    ["<table><tr><td>a<td><ul><li>x<li>y</ul></table>", "| a | - x<br>- y |\n| --- | --- |"],
    ["<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"],
    ["<table><tr><td><table><tr><td>1<td>2</table><td>b</table>", "| 1 | 2 |\n| --- | --- |\n\nb"],
  ],
  formulas: [
    [
      "<math><semantics><mi>E</mi><annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math>",
      "$E=mc^2$",
    ],
    ["<math display=block alttext='a_b'><mi>a</mi></math>", "$$a_b$$"],
    ["<img class=mwe-math-fallback-image-inline alt='{\\displaystyle x^2}' src=a.svg>", "$x^2$"],
  ],
};

for (const [title, cases] of Object.entries(CASES)) {
  Deno.test(`writeMarkdown() writes ${title}`, () => {
    for (const [html, markdown] of cases) assertEquals(written(html), markdown, html);
  });
}

Deno.test("writeMarkdown() bounds what it writes", () => {
  const { body } = parsePage(`<p>${"word ".repeat(600_000)}`, PAGE);
  const { text, isCut } = writeMarkdown(body!, { base: PAGE, page: PAGE });
  assertEquals([text.length <= MAX_MARKDOWN, isCut], [true, true]);
  const spans = written(`<table>${"<tr><td colspan=1000000 rowspan=1000000>x<td>y".repeat(200)}</table>`);
  assertEquals(spans.length < 100_000, true);
});

Deno.test("writeMarkdown() writes a quote that lies too deep as what is in it", () => {
  const marks = "> ".repeat(MAX_LIST_DEPTH);
  const deep = (html: string) => written(`${"<blockquote>".repeat(MAX_LIST_DEPTH)}${html}`);
  const lines = (first: string) => [marks + first, marks.trimEnd(), `${marks}two`].join("\n");
  const quote = "<blockquote><p>one</p><p>two</p></blockquote>";
  assertEquals(deep(quote), lines("one"));
  assertEquals(deep(`<a href="/x">${quote}</a>`), lines(`[one](${new URL("/x", PAGE)})`));
});
