import { assertEquals } from "@std/assert";

import type { FakeAnswer } from "../../../../support/web/fake_web.ts";
import { search } from "../../../../support/web/search_scene.ts";

const BAIDU_FEED = {
  feed: {
    all: 2,
    entry: [
      { title: "茶 &lt;壶&gt;", url: "https://a.example/1", abs: "一&nbsp;个", time: 1_700_000_000 },
      { title: "B", url: "https://b.example/", abs: "" },
      {},
    ],
  },
};
const BAIDU_PAGE = `<div id="content_left">
<div class="result c-container xpath-log new-pmd" mu="https://a.example/1"><h3><a href="http://www.baidu.com/link?url=x"><em>茶</em>壶</a></h3>
<div class="c-abstract">一个</div></div>
<div class="result c-container"><h3><a href="http://www.baidu.com/link?url=y">B</a></h3></div></div>`;

Deno.test("Baidu: results as JSON and as a page", async () => {
  const json = await search({ engines: ["baidu"], keys: [] }, { body: BAIDU_FEED });
  assertEquals(json.hits, [
    { title: "茶 <壶>", url: "https://a.example/1", snippet: "一 个", date: "2023-11-14" },
    { title: "B", url: "https://b.example/", snippet: "" },
  ]);
  assertEquals(
    json.web.requests[0]!.url,
    "https://www.baidu.com/s?wd=tea+kettle&rn=10&pn=0&tn=json&ie=utf-8",
  );
  const page = await search({ engines: ["baidu"], keys: [] }, { body: BAIDU_PAGE });
  assertEquals(page.hits, [
    { title: "茶壶", url: "https://a.example/1", snippet: "一个" },
    { title: "B", url: "http://www.baidu.com/link?url=y", snippet: "" },
  ]);
});

const counted = (url: string) =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=abc&amp;u=a1${
    btoa(String.fromCharCode(...new TextEncoder().encode(url))).replaceAll("+", "-").replaceAll("/", "_")
      .replaceAll("=", "")
  }&amp;ntb=1`;

const BING = `<ol id="b_results">
<li class="b_ad"><h2><a href="https://www.bing.com/aclick?ld=1">Ad</a></h2></li>
<li class="b_algo" data-id><h2><a href="${
  counted("https://a.example/tea?x=ü&y=1")
}">First <strong>tea</strong></a></h2>
<div class="b_caption"><p class="b_lineclamp2"><span class="algoSlug_icon">WEB</span>A kettle.</p></div></li>
<li class="b_algo"><h2><a href="https://b.example/">Second</a></h2><div class="b_caption">No paragraph</div></li>
<li class="b_algo"><h2><a href="https://www.bing.com/aclick?ld=2">Ad in disguise</a></h2></li>
<li class="b_algo"><h2><a href="https://www.bing.com/ck/a?u=a1%%%">Broken</a></h2></li>
<li class="b_algo"><h2><a href="https://www.bing.com/ck/a?p=abc">Without an address</a></h2></li>
<li class="b_algo"><h2>Without a link</h2></li>
</ol>`;

Deno.test("Bing: results, with the addresses behind its counter", async () => {
  const { hits, web } = await search({ engines: ["bing"], keys: [], language: "de", country: "at" }, {
    body: BING,
  });
  assertEquals(hits, [
    { title: "First tea", url: "https://a.example/tea?x=%C3%BC&y=1", snippet: "A kettle." },
    { title: "Second", url: "https://b.example/", snippet: "No paragraph" },
  ]);
  assertEquals(web.requests[0]!.url, "https://www.bing.com/search?q=tea+kettle&mkt=de-AT&adlt=off");
});

const to = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`;

const LITE = `<html><body><form action="/lite/"></form><table border="0">
<tr class="result-sponsored"><td>1.</td><td><a rel="nofollow" href="https://duckduckgo.com/y.js?ad=1" class='result-link'>Ad</a></td></tr>
<tr class="result-sponsored"><td></td><td class='result-snippet'>Buy now</td></tr>
<tr><td valign="top">1.&nbsp;</td><td><a rel="nofollow" href="${
  to("https://a.example/?x=1&y=ü")
}" class='result-link'>First &amp; best</a></td></tr>
<tr><td>&nbsp;</td><td class='result-snippet'>The <b>tea</b> kettle
  of all.</td></tr>
<tr><td></td><td><span class='link-text'>a.example</span></td></tr>
<tr><td>2.&nbsp;</td><td><a rel="nofollow" href="${
  to("https://b.example/")
}" class='result-link'>No snippet</a></td></tr>
<tr><td></td><td><span class='link-text'>b.example</span></td></tr>
<tr><td>3.&nbsp;</td><td><a rel="nofollow" href="https://c.example/" class='result-link'>Third</a></td></tr>
<tr><td></td><td class='result-snippet'>Third's own</td></tr>
</table></body></html>`;

const HTML = `<div id="links" class="results">
<div class="result results_links results_links_deep result--ad"><h2 class="result__title"><a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=x">Ad</a></h2></div>
<div class="result results_links results_links_deep web-result "><div class="links_main">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="${
  to("https://a.example/1")
}">First</a></h2>
<a class="result__snippet" href="${to("https://a.example/1")}">The <b>tea</b> kettle</a></div></div>
<div class="result web-result"><h2><a class="result__a" href="${
  to("https://b.example/")
}">Second</a></h2></div>
<div class="result web-result"><h2><a class="result__a" href="${
  to("https://b.example/")
}">Second again</a></h2></div>
<div class="result web-result"><h2><a class="result__a" href="${to("javascript:alert(1)")}">Bad</a></h2></div>
</div>`;

const CHALLENGE =
  `<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html"><div class="anomaly-modal__title">
Unfortunately, bots use DuckDuckGo too.</div></form></body></html>`;

/** What says that there is nothing stands where a result would. */
const NOTHING =
  `<div id="links" class="results"><div class="result results_links web-result result--no-result"><div class="links_main">
<h2 class="result__title"></h2><div class="no-results">No results.</div></div></div></div>`;

Deno.test("DuckDuckGo Lite: a snippet belongs to the link before it, and advertisements are left out", async () => {
  const { hits, error, web } = await search({ engines: ["duckduckgo_lite"], keys: [] }, { body: LITE });
  assertEquals(error, null);
  assertEquals(hits, [
    { title: "First & best", url: "https://a.example/?x=1&y=%C3%BC", snippet: "The tea kettle of all." },
    { title: "No snippet", url: "https://b.example/", snippet: "" },
    { title: "Third", url: "https://c.example/", snippet: "Third's own" },
  ]);
  const { method, body, headers } = web.requests[0]!;
  assertEquals([method, body], ["POST", "q=tea+kettle&kl=wt-wt"]);
  assertEquals(headers?.referer, "https://lite.duckduckgo.com/");
});

Deno.test("DuckDuckGo: results of the page without scripts", async () => {
  const { hits, web } = await search(
    { engines: ["duckduckgo"], keys: [], language: "de", country: "at" },
    { body: HTML },
  );
  assertEquals(hits, [
    { title: "First", url: "https://a.example/1", snippet: "The tea kettle" },
    { title: "Second", url: "https://b.example/", snippet: "" },
  ]);
  assertEquals(web.requests[0]!.body, "q=tea+kettle&b=&kl=at-de");
});

const FOUND = { title: "First", url: "https://a.example/?x=1", snippet: "A kettle." };
const href = "/url?q=https://a.example/%3Fx%3D1&amp;sa=U&amp;ved=2";
const GOOGLE = [
  `<div class="zMzFAb"><a class="fuLhoc" href="${href}"><span class="CVA68e">First</span></a><div class="taTFJ"><span class="FrIlee">A kettle.</span></div></div>`,
  `<div class="ezO2md"><div><a href="${href}"><span class="CVA68e">First</span></a></div><span class="FrIlee">A kettle.</span></div>`,
  `<div data-hveid="x"><a href="https://a.example/?x=1"><h3>First</h3></a><div class="VwiC3b">A kettle.</div></div>`,
];

Deno.test("Google: results in each form of its page", async () => {
  for (const body of GOOGLE) {
    const { hits, error } = await search({ engines: ["google"], keys: [] }, {
      body: `<html>${body}${body}</html>`,
    });
    assertEquals([error?.message, hits], [undefined, [FOUND]], body);
  }
  const { web } = await search({ engines: ["google"], keys: [], language: "de", country: "at" }, {
    body: GOOGLE[0],
  });
  const asked = new URL(web.requests[0]!.url).searchParams;
  assertEquals([asked.get("q"), asked.get("hl"), asked.get("lr"), asked.get("gl")], [
    "tea kettle",
    "de",
    "lang_de",
    "at",
  ]);
});

type Outcome = number | "blocked" | "external_failure";

const moved = (location: string): FakeAnswer => ({ status: 302, headers: { location } });
const DUCKDUCKGO: readonly (readonly [FakeAnswer, Outcome])[] = [
  [{ body: CHALLENGE }, "blocked"],
  [{ status: 202, body: CHALLENGE }, "blocked"],
  [{ status: 202, body: "" }, "blocked"],
  [{ status: 403, body: "Forbidden" }, "blocked"],
  [{ status: 429, body: "" }, "blocked"],
  [{ body: '<div class="no-results">No results found for <b>x</b></div>' }, 0],
  [{ body: NOTHING }, 0],
  [{ body: "<html>Welcome</html>" }, "external_failure"],
  [{ status: 503, body: "busy" }, "external_failure"],
  [{ body: "" }, "external_failure"],
];

/** What engines answer beside results. */
const ANSWERS: Readonly<Record<string, readonly (readonly [FakeAnswer, Outcome])[]>> = {
  baidu: [
    [moved("https://wappass.baidu.com/static/captcha/tuxing.html?x"), "blocked"],
    [{ body: { antiFlag: 1 } }, "blocked"],
    [{ body: "<title>百度安全验证</title>" }, "blocked"],
    [{ body: "网络不给力，请稍后重试" }, "blocked"],
    [{ body: { feed: { entry: [{}] } } }, 0],
    [{ body: { feed: {} } }, 0],
    [{ body: '<div class="content_none">抱歉，没有找到</div>' }, 0],
    [{ body: {} }, "external_failure"],
    [{ body: "<html></html>" }, "external_failure"],
  ],
  bing: [
    [{ body: '<div id="b_captcha">One last step</div>' }, "blocked"],
    [{ body: '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js">' }, "blocked"],
    [{ status: 429, body: "" }, "blocked"],
    [{ body: '<ol id="b_results"><li class="b_no"><h1>There are no results for x</h1></li></ol>' }, 0],
    [{ body: "<html></html>" }, "external_failure"],
  ],
  duckduckgo: DUCKDUCKGO,
  duckduckgo_lite: DUCKDUCKGO,
  google: [
    [moved("https://www.google.com/sorry/index?continue=x"), "blocked"],
    [moved("https://consent.google.com/ml?x"), "blocked"],
    [{ status: 429, body: "unusual traffic" }, "blocked"],
    [
      { body: '<noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x">' },
      "blocked",
    ],
    [{ body: "Your search - <b>x</b> - did not match any documents." }, 0],
    [{ body: "<html></html>" }, "external_failure"],
  ],
};

for (const [engine, answers] of Object.entries(ANSWERS)) {
  Deno.test(`${engine}: blocked, empty and broken are three things`, async () => {
    for (const [answer, outcome] of answers) {
      const { hits, error } = await search({ engines: [engine], keys: [] }, answer);
      const seen = error === null ? hits.length : error.details.blocked === true ? "blocked" : error.code;
      assertEquals(seen, outcome, JSON.stringify(answer));
    }
  });
}

Deno.test("duckduckgo: an answer that leads elsewhere holds no results", async () => {
  assertEquals((await search({ engines: ["duckduckgo"], keys: [] }, { status: 303 })).hits, []);
});
