import { assertEquals } from "@std/assert";

import webSearch from "../../../../tools/harness/web_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

const keys = ["SERPER_KEY"];
const ORGANIC = [
  { title: "T1", link: "https://a.example/1", snippet: "S one", date: "Jan 1, 2024", source: "Src" },
  { link: "https://b.example/" },
  { title: "T3", link: "https://c.example/", snippet: "Your browser can't play this video. S three" },
];

Deno.test("WebSearch() words results as its document does", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: { organic: ORGANIC } }));
  const { text, ok } = await ws.run(webSearch, { query: " hello " }, { web, keys });
  assertEquals([ok, text], [
    true,
    "A Google search for 'hello' found 3 results:\n\n## Web Results\n" +
    "1. [T1](https://a.example/1)\nDate published: Jan 1, 2024\nSource: Src\n\nS one\n\n" +
    "2. [Untitled result](https://b.example/)\n\n" +
    "3. [T3](https://c.example/)\n\nS three",
  ]);
  const asked = { q: "hello", location: "United States", gl: "us", hl: "en" };
  assertEquals(JSON.parse(String(web.requests[0]!.body)), asked);
  assertEquals(web.requests[0]!.secret, { name: "SERPER_KEY", header: "X-API-KEY" });
});

Deno.test("WebSearch() asks in China for Chinese words", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: { organic: [] } }));
  const { text } = await ws.run(webSearch, { query: "茶壶" }, { web, keys });
  assertEquals(JSON.parse(String(web.requests[0]!.body)), {
    q: "茶壶",
    location: "China",
    gl: "cn",
    hl: "zh-cn",
  });
  assertEquals(text, "No results found for '茶壶'. Try with a more general query.");
});

Deno.test("WebSearch() says what is wrong", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ status: 403, body: { message: "Unauthorized." } }));
  const blank = await ws.run(webSearch, { query: " " }, { web, keys });
  assertEquals(blank.text, "[WebSearch] 'query' must be a non-empty string.");
  const missing = await ws.run(webSearch, { query: "x" }, { web });
  assertEquals(
    [missing.error?.code, missing.text.slice(0, 37)],
    ["unauthenticated", "[WebSearch] SERPER_KEY is not set. Set"]
      .map((word) => word.slice(0, 37)),
  );
  const refused = await ws.run(webSearch, { query: "x" }, { web, keys });
  assertEquals([refused.error?.code, web.requests.length], ["unauthenticated", 1]);
});

Deno.test("WebSearch() works with a server of one's own, without a key", async () => {
  using ws = workspace();
  const results = [{ url: "https://a.example/", title: "A", content: "S" }];
  const web = fakeWeb(() => ({ body: { results } }));
  const settings = { SEARXNG_BASE_URL: "http://127.0.0.1:8888" };
  const { text } = await ws.run(webSearch, { query: "x" }, { web, settings });
  assertEquals(
    text,
    "A SearXNG search for 'x' found 1 results:\n\n## Web Results\n1. [A](https://a.example/)\n\nS",
  );
});
