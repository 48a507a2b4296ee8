import { assertEquals } from "@std/assert";

import { search } from "../../../../../../support/web/search_scene.ts";

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

Deno.test("DuckDuckGo: blocked, empty and broken are three things", async () => {
  for (const engine of ["duckduckgo", "duckduckgo_lite"]) {
    const of = async (status: number, body: string) => {
      const { hits, error } = await search({ engines: [engine], keys: [] }, { status, body });
      return error === null ? hits.length : error.details.blocked === true ? "blocked" : error.code;
    };
    assertEquals(await of(200, CHALLENGE), "blocked", engine);
    assertEquals(await of(202, CHALLENGE), "blocked", engine);
    assertEquals(await of(202, ""), "blocked", engine);
    assertEquals(await of(403, "Forbidden"), "blocked", engine);
    assertEquals(await of(429, ""), "blocked", engine);
    assertEquals(await of(200, '<div class="no-results">No results found for <b>x</b></div>'), 0, engine);
    assertEquals(await of(200, NOTHING), 0, engine);
    assertEquals(await of(200, "<html>Welcome</html>"), "external_failure", engine);
    assertEquals(await of(503, "busy"), "external_failure", engine);
    assertEquals(await of(200, ""), "external_failure", engine);
  }
  assertEquals((await search({ engines: ["duckduckgo"], keys: [] }, { status: 303 })).hits, []);
});
