import { assert, assertEquals } from "@std/assert";

import crawl4ai from "../../../../tools/manus/crawl4ai.ts";
import webSearch from "../../../../tools/manus/web_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { type FakeAnswer, fakeWeb } from "../../../support/web/fake_web.ts";

const SENTENCE = "A kettle is a pot for boiling water, with a lid, a spout and a handle.";
const PAGE = `<html><head><title>Kettles</title></head><body><article><h1>Kettles</h1>${
  `<p>${SENTENCE} See <a href="/more">more</a>.</p>`.repeat(12)
}<p>Share this</p><p><img src="/k.png" alt="A kettle"></p></article></body></html>`;

/** A network where each site has the robots.txt that is given. */
const site = (robots: string | FakeAnswer, times: Map<string, number> = new Map()) =>
  fakeWeb((_request, url) => {
    times.set(url.href, performance.now());
    if (url.pathname === "/robots.txt") return typeof robots === "string" ? { body: robots } : robots;
    return url.pathname === "/gone" ? { status: 404 } : { body: PAGE };
  });

Deno.test("crawl4ai() words pages as its document does", async () => {
  using ws = workspace();
  const input = { url: "https://a.example/", urls: ["https://b.example/gone"] };
  const { text, result } = await ws.run(crawl4ai, input, { web: site("") });
  assertEquals(result.results.map(({ success }: { success: boolean }) => success), [false, true]);
  assert(text.startsWith(
    "🕷️ Crawl4AI Results Summary:\n📊 Total URLs: 2\n✅ Successful: 1\n❌ Failed: 1\n\n" +
      "1. https://b.example/gone\n   ❌ Status: Failed\n   🚫 Error: https://b.example/gone answers HTTP 404: there is no such page\n\n" +
      "2. https://a.example/\n   ✅ Status: Success (HTTP 200)\n   📄 Title: Kettles\n   📝 Content: ",
  ));
  assert(
    /\n {3}📊 Stats: \d+ words, 12 links, 1 images\n {3}⏱️ Time: \d+\.\d\ds\n$/.test(text),
    text.slice(-200),
  );
  assert(!text.includes("Share this"));
});

Deno.test("crawl4ai() leaves out short paragraphs as it is told", async () => {
  using ws = workspace();
  const input = { url: "https://a.example/", word_count_threshold: 1 };
  const { result } = await ws.run(crawl4ai, input, { web: site("") });
  assert(result.results[0].markdown.includes("Share this"));
});

Deno.test("crawl4ai() keeps to robots.txt", async () => {
  using ws = workspace();
  const web = site("User-agent: *\nDisallow: /private\n");
  const { result } = await ws.run(crawl4ai, { urls: ["https://a.example/private/x"] }, { web });
  assertEquals(
    result.results[0].error_message,
    "robots.txt of https://a.example asks programs not to crawl https://a.example/private/x",
  );
  assertEquals(web.requests.map(({ url }) => url), ["https://a.example/robots.txt"]);
  const failing = await ws.run(crawl4ai, { urls: ["https://b.example/x"] }, { web: site({ status: 503 }) });
  assertEquals(
    failing.result.results[0].error_message,
    "https://b.example/x was not crawled: robots.txt of https://b.example, which tells whether it may be, cannot be read: " +
      "it answers HTTP 503",
  );
});

Deno.test("crawl4ai() asks one site once a second, and several sites beside each other", async () => {
  using ws = workspace();
  const times = new Map<string, number>();
  const urls = ["https://a.example/1", "https://b.example/1", "https://a.example/2"];
  const { result } = await ws.run(crawl4ai, { urls }, { web: site("", times) });
  assertEquals(result.results.map(({ url }: { url: string }) => url), urls);
  const [first, , second] = urls.map((url) => times.get(url)!);
  assert(second! - first! >= 990, `${second! - first!} ms`);
  assertEquals([...times.keys()].filter((url) => urls.includes(url)), [urls[0], urls[1], urls[2]]);
});

Deno.test("crawl4ai() takes pages of its session from the cache, unless it is told not to", async () => {
  using ws = workspace();
  const web = site("");
  const url = "https://a.example/";
  await ws.run(crawl4ai, { url }, { web });
  const asked = web.requests.length;
  await ws.run(crawl4ai, { url: `${url}#part` }, { web });
  assertEquals(web.requests.length, asked);
  await ws.run(crawl4ai, { url, bypass_cache: true }, { web });
  assertEquals(web.requests.length, asked + 2);
});

Deno.test("crawl4ai() does not begin a pause that is longer than its time", async () => {
  using ws = workspace();
  const web = site("User-agent: *\nCrawl-delay: 600\n");
  const urls = ["https://a.example/1", "https://a.example/2"];
  const { result } = await ws.run(crawl4ai, { urls }, { web, timeoutMs: 20_000 });
  assertEquals(result.results.map(({ success }: { success: boolean }) => success), [true, false]);
});

Deno.test("crawl4ai() leaves out what is no URL of the web, and refuses if nothing is left", async () => {
  using ws = workspace();
  const urls = ["file:///etc/passwd", "https://a.example/"];
  const { warnings } = await ws.run(crawl4ai, { urls }, { web: site("") });
  assertEquals(warnings, ['"file:///etc/passwd" is no URL of the web and was left out']);
  const { text, error } = await ws.run(crawl4ai, { urls: ["ftp://a.example/"] }, {});
  assertEquals([error?.code, text.slice(0, 29)], ["invalid_input", "Error: No valid URLs provided"]);
});

const BING = '<li class="b_algo"><h2><a href="https://a.example/">T1</a></h2><p>D1</p></li>' +
  '<li class="b_algo"><h2><a href="https://b.example/"></a></h2></li>';

/** Bing answers; Google blocks, DuckDuckGo fails, Baidu finds nothing. */
const web = () =>
  fakeWeb((_request, { host, pathname }) => {
    if (host === "www.google.com") {
      return { status: 302, headers: { location: `https://${host}/sorry/index` } };
    }
    if (host === "html.duckduckgo.com") return { status: 500 };
    if (host === "www.baidu.com") return { body: { feed: { entry: [{}] } } };
    if (host === "www.bing.com") return { body: BING };
    if (host !== "a.example") return { status: 404 };
    const body = `The page\nof ${pathname}${"!".repeat(2000)}`;
    return { headers: { "content-type": "text/plain" }, body };
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
  const asked = net.requests.map(({ url }) => new URL(url).host);
  assertEquals(asked, ["www.google.com", "html.duckduckgo.com", "www.baidu.com", "www.bing.com"]);
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
  const input = { query: "q", fetch_content: true };
  const { result, text, warnings } = await ws.run(webSearch, input, { web: web(), settings });
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
  const words = "Error: All search engines failed to return results after multiple retries. ";
  assert(failing.text.startsWith(words));
  assertEquals(failing.error?.code, "external_failure");
  assertEquals((failing.error!.details.engines as unknown[]).length, 4);
  const nothing = fakeWeb((_request, { host }) =>
    host === "www.baidu.com" ? { body: { feed: {} } } : { status: 503 }
  );
  const { ok, result } = await ws.run(webSearch, { query: "q" }, { web: nothing });
  assertEquals([ok, result.results], [true, []]);
});
