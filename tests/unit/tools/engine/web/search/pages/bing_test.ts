import { assertEquals } from "@std/assert";

import { search } from "../../../../../../support/web/search_scene.ts";

const counted = (url: string) =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=abc&amp;u=a1${
    btoa(String.fromCharCode(...new TextEncoder().encode(url))).replaceAll("+", "-").replaceAll("/", "_")
      .replaceAll("=", "")
  }&amp;ntb=1`;

const PAGE = `<ol id="b_results">
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
    body: PAGE,
  });
  assertEquals(hits, [
    { title: "First tea", url: "https://a.example/tea?x=%C3%BC&y=1", snippet: "A kettle." },
    { title: "Second", url: "https://b.example/", snippet: "No paragraph" },
  ]);
  assertEquals(web.requests[0]!.url, "https://www.bing.com/search?q=tea+kettle&mkt=de-AT&adlt=off");
});

Deno.test("Bing: blocked, empty and broken are three things", async () => {
  const of = async (status: number, body: string) => {
    const { hits, error } = await search({ engines: ["bing"], keys: [] }, { status, body });
    return error === null ? hits.length : error.details.blocked === true ? "blocked" : error.code;
  };
  assertEquals(await of(200, '<div id="b_captcha">One last step</div>'), "blocked");
  assertEquals(
    await of(200, '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js">'),
    "blocked",
  );
  assertEquals(await of(429, ""), "blocked");
  assertEquals(
    await of(200, '<ol id="b_results"><li class="b_no"><h1>There are no results for x</h1></li></ol>'),
    0,
  );
  assertEquals(await of(200, "<html></html>"), "external_failure");
});
