import { assert, assertEquals } from "@std/assert";

import webSearch from "../../../../tools/manus/web_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

const BING = '<li class="b_algo"><h2><a href="https://a.example/">T1</a></h2><p>D1</p></li>' +
  '<li class="b_algo"><h2><a href="https://b.example/"></a></h2></li>';

/** Bing answers; Google blocks, DuckDuckGo fails, Baidu finds nothing. */
const web = () =>
  fakeWeb((_request, { host, pathname }) => {
    if (host === "www.google.com") {
      return { status: 302, headers: { location: "https://www.google.com/sorry/index" } };
    }
    if (host === "html.duckduckgo.com") {
      return { status: 500 };
    }
    if (host === "www.baidu.com") return { body: { feed: { entry: [{}] } } };
    if (host === "www.bing.com") return { body: BING };
    if (host === "a.example") {
      return {
        headers: { "content-type": "text/plain" },
        body: `The page\nof ${pathname}${"!".repeat(2000)}`,
      };
    }
    return { status: 404 };
  });

Deno.test("web_search() asks engine after engine, and words results as its document does", async () => {
  using ws = workspace();
  const net = web();
  const { text, result, warnings } = await ws.run(webSearch, { query: "q" }, { web: net });
  assertEquals(
    text,
    "Search results for 'q':\n\n1. T1\n   URL: https://a.example/\n   Description: D1\n\n2. Result 2\n   URL: https://b.example/\n\n" +
      "Metadata:\n- Total results: 2\n- Language: en\n- Country: us",
  );
  assertEquals(net.requests.map(({ url }) => new URL(url).host), [
    "www.google.com",
    "html.duckduckgo.com",
    "www.baidu.com",
    "www.bing.com",
  ]);
  assertEquals([result.results[0].source, warnings.length], ["bing", 2]);
});

Deno.test("web_search() passes language and country on", async () => {
  using ws = workspace();
  const net = web();
  const settings = { BULKHEAD_SEARCH_ENGINES: "bing" };
  const { text } = await ws.run(webSearch, { query: "q", lang: "de", country: "AT" }, { web: net, settings });
  assertEquals(new URL(net.requests[0]!.url).searchParams.get("mkt"), "de-AT");
  assert(text.endsWith("- Language: de\n- Country: AT"));
});

Deno.test("web_search() fetches the pages, and goes without those that fail", async () => {
  using ws = workspace();
  const settings = { BULKHEAD_SEARCH_ENGINES: "bing" };
  const { result, text, warnings } = await ws.run(webSearch, { query: "q", fetch_content: true }, {
    web: web(),
    settings,
  });
  assertEquals(result.results[0].raw_content.slice(0, 13), "The page\nof /");
  assertEquals(result.results[1].raw_content, null);
  assert(text.includes("\n   Content: The page of /!!!"));
  assert(text.includes("!...\n"));
  assertEquals(warnings, [
    "No content of https://b.example/: https://b.example/ answers HTTP 404: there is no such page",
  ]);
});

Deno.test("web_search() says in the words of its document that all engines failed, and that nothing was found", async () => {
  using ws = workspace();
  const failing = await ws.run(webSearch, { query: "q" }, { web: fakeWeb(() => ({ status: 503 })) });
  assert(
    failing.text.startsWith("Error: All search engines failed to return results after multiple retries. "),
  );
  assertEquals([failing.error?.code, (failing.error!.details.engines as unknown[]).length], [
    "external_failure",
    4,
  ]);
  const nothing = fakeWeb((_request, { host }) =>
    host === "www.baidu.com" ? { body: { feed: {} } } : { status: 503 }
  );
  const { ok, result } = await ws.run(webSearch, { query: "q" }, { web: nothing });
  assertEquals([ok, result.results], [true, []]);
});
