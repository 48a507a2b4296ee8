import { assertEquals } from "@std/assert";

import { parsePage } from "../../../../../../../tools/engine/web/page/dom/parse_page.ts";
import {
  MAX_MARKDOWN,
  writeMarkdown,
} from "../../../../../../../tools/engine/web/page/markdown/write_markdown.ts";
import { MAX_LIST_DEPTH } from "../../../../../../../tools/engine/web/page/markdown/writer.ts";

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
