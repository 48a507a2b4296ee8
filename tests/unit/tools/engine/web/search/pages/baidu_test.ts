import { assertEquals } from "@std/assert";

import { search } from "../../../../../../support/web/search_scene.ts";
import type { FakeAnswer } from "../../../../../../support/web/fake_web.ts";

const FEED = {
  feed: {
    all: 2,
    entry: [
      { title: "茶 &lt;壶&gt;", url: "https://a.example/1", abs: "一&nbsp;个", time: 1_700_000_000 },
      { title: "B", url: "https://b.example/", abs: "" },
      {},
    ],
  },
};
const PAGE = `<div id="content_left">
<div class="result c-container xpath-log new-pmd" mu="https://a.example/1"><h3><a href="http://www.baidu.com/link?url=x"><em>茶</em>壶</a></h3>
<div class="c-abstract">一个</div></div>
<div class="result c-container"><h3><a href="http://www.baidu.com/link?url=y">B</a></h3></div></div>`;

const outcome = async (answer: FakeAnswer) => {
  const { hits, error } = await search({ engines: ["baidu"], keys: [] }, answer);
  return error === null ? hits.length : error.details.blocked === true ? "blocked" : error.code;
};

Deno.test("Baidu: results as JSON and as a page", async () => {
  const json = await search({ engines: ["baidu"], keys: [] }, { body: FEED });
  assertEquals(json.hits, [
    { title: "茶 <壶>", url: "https://a.example/1", snippet: "一 个", date: "2023-11-14" },
    { title: "B", url: "https://b.example/", snippet: "" },
  ]);
  assertEquals(
    json.web.requests[0]!.url,
    "https://www.baidu.com/s?wd=tea+kettle&rn=10&pn=0&tn=json&ie=utf-8",
  );
  const page = await search({ engines: ["baidu"], keys: [] }, { body: PAGE });
  assertEquals(page.hits, [
    { title: "茶壶", url: "https://a.example/1", snippet: "一个" },
    { title: "B", url: "http://www.baidu.com/link?url=y", snippet: "" },
  ]);
});

Deno.test("Baidu: blocked, empty and broken are three things", async () => {
  const location = "https://wappass.baidu.com/static/captcha/tuxing.html?x";
  assertEquals(await outcome({ status: 302, headers: { location } }), "blocked");
  assertEquals(await outcome({ body: { antiFlag: 1 } }), "blocked");
  assertEquals(await outcome({ body: "<title>百度安全验证</title>" }), "blocked");
  assertEquals(await outcome({ body: "网络不给力，请稍后重试" }), "blocked");
  assertEquals(await outcome({ body: { feed: { entry: [{}] } } }), 0);
  assertEquals(await outcome({ body: { feed: {} } }), 0);
  assertEquals(await outcome({ body: '<div class="content_none">抱歉，没有找到</div>' }), 0);
  assertEquals(await outcome({ body: {} }), "external_failure");
  assertEquals(await outcome({ body: "<html></html>" }), "external_failure");
});
