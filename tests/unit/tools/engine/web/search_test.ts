import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { searchTargets } from "../../../../../tools/engine/web/search/search_web.ts";
import { canonicalUrl } from "../../../../../tools/engine/web/sources/canonical_url.ts";
import { citedNumbers, uncitedFigures } from "../../../../../tools/engine/web/sources/citations.ts";
import { SourceBook } from "../../../../../tools/engine/web/sources/source_book.ts";
import type { Serve } from "../../../../support/web/fake_web.ts";
import { keptSession } from "../../../../support/web/kept_session.ts";
import { search } from "../../../../support/web/search_scene.ts";

const LITE =
  `<table><tr><td><a rel="nofollow" href="https://a.example/" class='result-link'>A</a></td></tr></table>`;
const SEARXNG = { results: [{ url: "https://s.example/", title: "S", content: "" }] };
const TAVILY = { results: [{ url: "https://t.example/", title: "T", content: "" }] };

/** A network in which each host answers by itself. */
const byHost =
  (hosts: Record<string, Awaited<ReturnType<Serve>> | ToolError>): Serve => (_request, { host }) => {
    const answer = hosts[host];
    if (answer instanceof ToolError) throw answer;
    return answer ?? { status: 500 };
  };

Deno.test("an engine that fails leads to the next, and a warning tells why", async () => {
  const serve = byHost({
    "lite.duckduckgo.com": { status: 202, body: "anomaly-modal" },
    "html.duckduckgo.com": { status: 303 },
  });
  const { engine, hits, warnings, web } = await search({
    engines: ["duckduckgo_lite", "duckduckgo"],
    keys: [],
  }, serve);
  assertEquals([engine, hits], ["duckduckgo", []]);
  assertEquals(warnings, [
    "DuckDuckGo Lite blocked the search: it takes this computer for a robot (HTTP 202); DuckDuckGo was asked instead",
  ]);
  assertEquals(web.requests.length, 2);
});

Deno.test("every kind of failure leads to the next engine", async () => {
  const failures = [
    new ToolError("timeout", "slow"),
    new ToolError("permission_denied", "not granted"),
    new ToolError("external_failure", "no connection"),
    new ToolError("rate_limited", "later"),
    { status: 401, body: {} },
    { status: 200, body: "<html>" },
    { status: 200, body: {}, truncated: true },
  ];
  for (const failure of failures) {
    const serve = byHost({ "api.tavily.com": failure, "lite.duckduckgo.com": { body: LITE } });
    const { engine, error } = await search({ engines: ["tavily", "duckduckgo_lite"] }, serve);
    assertEquals([engine, error], ["duckduckgo_lite", null]);
  }
});

Deno.test("all failures are told, with the code that they share", async () => {
  const engines = ["tavily", "serper"];
  const mixed = await search(
    { engines },
    byHost({ "api.tavily.com": { status: 401 }, "google.serper.dev": { status: 429 } }),
  );
  assertEquals([mixed.error?.code, mixed.error?.retryable], ["external_failure", true]);
  assert(
    /^No search engine answered: Tavily refuses the key .*; Serper is asked too often/.test(
      mixed.error!.message,
    ),
  );
  assertEquals((mixed.error!.details.engines as { engine: string }[]).map(({ engine }) => engine), engines);
  const same = await search({ engines }, { status: 402 });
  assertEquals([same.error?.code, same.error?.retryable], ["rate_limited", false]);
});

Deno.test("an empty answer ends the search, or leads on if the tool says so", async () => {
  const serve = byHost({
    "api.tavily.com": { body: { results: [] } },
    "lite.duckduckgo.com": { body: LITE },
  });
  const engines = ["tavily", "duckduckgo_lite"];
  assertEquals((await search({ engines }, serve)).engine, "tavily");
  assertEquals((await search({ engines, onEmpty: "next" }, serve)).engine, "duckduckgo_lite");
  const none = byHost({ "api.tavily.com": { body: { results: [] } } });
  const { engine, hits, warnings } = await search({ engines, onEmpty: "next" }, none);
  assertEquals([engine, hits, warnings.length], ["tavily", [], 1]);
  assertEquals(warnings[0]?.endsWith("; Tavily found nothing"), true, warnings[0]);
});

Deno.test("engines without their key are left out; without any, the error names the first key", async () => {
  const serve = byHost({ "api.tavily.com": { body: TAVILY } });
  const { engine, warnings } = await search(
    { engines: ["serper", "tavily"], keys: ["TAVILY_API_KEY"] },
    serve,
  );
  assertEquals([engine, warnings], ["tavily", []]);
  const { error, web } = await search({ engines: ["serper"], keys: [] }, serve);
  assertEquals([error?.code, web.requests.length], ["unauthenticated", 0]);
  assertEquals(
    error?.message,
    "SERPER_KEY is not set. Set it, or SEARXNG_BASE_URL to a SearXNG server of your own, or name engines without a key, " +
      "such as BULKHEAD_SEARCH_ENGINES=duckduckgo,bing",
  );
});

Deno.test("a server of one's own stands before the engines that need no key, and behind those that have one", async () => {
  const settings = { SEARXNG_BASE_URL: "http://127.0.0.1:8888/searx/" };
  const serve = byHost({
    "127.0.0.1:8888": { body: SEARXNG },
    "lite.duckduckgo.com": { body: LITE },
    "api.tavily.com": { body: TAVILY },
  });
  const own = await search({ engines: ["duckduckgo_lite"], settings }, serve);
  assertEquals([own.engine, new URL(own.web.requests[0]!.url).pathname], ["searxng", "/searx/search"]);
  assertEquals((await search({ engines: ["tavily", "duckduckgo_lite"], settings }, serve)).engine, "tavily");
  assertEquals((await search({ engines: ["tavily"], keys: [], settings }, serve)).engine, "searxng");
});

Deno.test("the user's order wins, and names of engines that there are not are refused", async () => {
  const serve = byHost({ "api.tavily.com": { body: TAVILY }, "lite.duckduckgo.com": { body: LITE } });
  const settings = { BULKHEAD_SEARCH_ENGINES: " serper, DuckDuckGo_Lite ,tavily" };
  const { engine, warnings } = await search(
    { engines: ["tavily"], keys: ["TAVILY_API_KEY"], settings },
    serve,
  );
  assertEquals([engine, warnings], ["duckduckgo_lite", ["Serper was not asked: SERPER_KEY is not set"]]);
  const wrong = await search(
    { engines: ["tavily"], settings: { BULKHEAD_SEARCH_ENGINES: "altavista" } },
    serve,
  );
  assertEquals(wrong.error?.code, "configuration");
  const papers = { BULKHEAD_SEARCH_ENGINES: "bing" };
  assertEquals(
    (await search({ engines: ["serper"], kind: "scholar", settings: papers }, serve)).error?.code,
    "configuration",
  );
});

Deno.test("the address of each service can be set, and must be one", async () => {
  const settings = { TAVILY_BASE_URL: "http://127.0.0.1:9/tavily//" };
  const { web } = await search({ engines: ["tavily"], settings }, { body: TAVILY });
  assertEquals(web.requests[0]!.url, "http://127.0.0.1:9/tavily/search");
  for (
    const address of ["tavily.example", "ftp://a.example", "https://u:p@a.example", "https://a.example/?x=1"]
  ) {
    const { error, web } = await search({ engines: ["tavily"], settings: { TAVILY_BASE_URL: address } }, {
      body: TAVILY,
    });
    assertEquals([error?.code, web.requests.length], ["configuration", 0], address);
    assert(!error!.message.includes("u:p"));
  }
});

Deno.test("each engine gets its part of the time that is left", async () => {
  const times: number[] = [];
  const serve: Serve = ({ timeoutMs }) => {
    times.push(timeoutMs!);
    throw new ToolError("timeout", "slow");
  };
  const { now } = Date;
  // A clock that stands, so that a busy machine takes no time from them.
  Date.now = () => 0;
  try {
    await search({ engines: ["tavily", "serper", "exa"], leftMs: 9_250 }, serve);
  } finally {
    Date.now = now;
  }
  assertEquals(times, [3_000, 4_500, 9_000]);
});

Deno.test("a cancelled search asks nobody else", async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const serve: Serve = (_request, { host }) => {
    asked.push(host);
    const error = new ToolError("cancelled", "stopped");
    stop.abort(error);
    throw error;
  };
  const { error } = await search({ engines: ["tavily", "serper"], signal: stop.signal }, serve);
  assertEquals([error?.code, asked], ["cancelled", ["api.tavily.com"]]);
});

Deno.test("a bug of an engine is no failure of it", async () => {
  const serve: Serve = () => {
    throw new TypeError("bug");
  };
  await assertRejects(() => search({ engines: ["tavily", "serper"] }, serve), TypeError);
});

Deno.test("a search names the hosts that it may reach: one for sure, or each of several if needed", () => {
  const of = (engines: string[], keys: string[], settings = {}) =>
    searchTargets({ engines }, { keys, settings });
  const net = (value: string) => ({ kind: "net" as const, value });
  const ifNeeded = (value: string) => ({ ...net(value), ifNeeded: true });
  assertEquals(of(["serper"], ["SERPER_KEY"]), [net("https://google.serper.dev")]);
  assertEquals(of(["tavily", "brave"], ["BRAVE_API_KEY"]), [net("https://api.search.brave.com")]);
  assertEquals(of(["google", "bing"], []), [
    ifNeeded("https://www.google.com"),
    ifNeeded("https://www.bing.com"),
  ]);
  const own = { SEARXNG_BASE_URL: "http://search.example:8080/x/" };
  assertEquals(of(["serper"], ["SERPER_KEY"], own), [
    ifNeeded("https://google.serper.dev"),
    ifNeeded("http://search.example:8080/x"),
  ]);
  assertEquals(of(["bing"], [], { BULKHEAD_SEARCH_ENGINES: "exa serply searxng", ...own }), [
    net("http://search.example:8080/x"),
  ]);
  // A wrong address is told by the search itself.
  assertEquals(of(["bing"], [], { BING_BASE_URL: "nonsense" }), []);
  assertEquals(assertThrows(() => of(["serper"], []), ToolError).code, "unauthenticated");
});

Deno.test("canonicalUrl() gives one name to the spellings of a page", () => {
  const name = canonicalUrl("https://example.com/a/b?x=1");
  const same = [
    "http://example.com/a/b?x=1",
    "HTTPS://WWW.Example.COM:443/a/b/?x=1",
    "http://example.com.:80/a//b?x=1#part",
    "https://example.com/a/./c/../b?x=1&utm_source=news&fbclid=3",
    "https://example.com/%61/b?x=1",
    " https://example.com/a/b?x=1\n",
  ];
  for (const url of same) assertEquals(canonicalUrl(url), name, url);
  const others = [
    "https://example.com/a/b?x=2",
    "https://example.com/a/B?x=1",
    "https://sub.example.com/a/b?x=1",
    "https://example.com:8443/a/b?x=1",
    "https://example.com/a%2Fb?x=1",
    "https://example.com/a/b?x=1#/page/2",
  ];
  for (const url of others) assertNotEquals(canonicalUrl(url), name, url);
  assertEquals(canonicalUrl("https://example.com/"), canonicalUrl("example.com".replace(/^/, "http://")));
  assertEquals(canonicalUrl("https://ex.example/%e4%bd%a0"), canonicalUrl("https://ex.example/你"));
  assertEquals(canonicalUrl("no url"), "no url");
  const long = `https://example.com/${"x".repeat(9000)}`;
  assertNotEquals(canonicalUrl(`${long}/a`), canonicalUrl(`${long}/b`));
});

Deno.test("citedNumbers() finds the numbers in brackets, alone, in lists and in ranges", () => {
  const cases: [string, number[]][] = [
    ["It grew [2]. And fell [1][3].", [1, 2, 3]],
    ["Both say so [1, 4; 7].", [1, 4, 7]],
    ["All of them [2-4], [6\u20138].", [2, 3, 4, 6, 7, 8]],
    ["A link [5](https://a.example) and a word[9].", [5, 9]],
    ["A code `a[1]`\n\n```js\nb[2] = c[3];\n```\n\nand [4].", [4]],
    ["```\nnever closed [1]", []],
    ["No [x], no [^1], no [ 1 ], no [1.5], no [[]].", []],
    ["Far [1-999999], back [9-3].", [1, 3, 9, 999999]],
    ["All [1]-[3] and [5]\u2013[6], [1-2-4].", [1, 2, 3, 4, 5, 6]],
    ["- in a list:\n  ```\n  a[7] = 1\n  ```\n  and [2]", [2]],
    ["In [2024], in [2019-2021] and in [1999, 3].", [3]],
    ["", []],
  ];
  for (const [text, numbers] of cases) assertEquals(citedNumbers(text), numbers, text);
  assertEquals(citedNumbers("Of many [1200], in [2024].", (number) => number === 1200), [1200]);
});

Deno.test("uncitedFigures() parts paragraphs whatever ends their lines", () => {
  assertEquals(uncitedFigures("It has 3 [1].\r\n\r\nIt has 4.\r\n"), ["It has 4."]);
});

Deno.test("uncitedFigures() finds paragraphs with figures that cite nothing", () => {
  const text = [
    "# Report of 2024",
    "It grew by 5 % [1].",
    "It fell by 7 %.",
    "Nothing to see.",
    "1. first\n2. second",
    "- rose to 12\n- fell to 9 [2]",
    "| year | sum |\n| --- | --- |\n| 2023 | 4 |",
    "See https://a.example/2024/05.",
    "```\nx = 3\n```",
    "## 2. What\nis 8 of it",
    "**3. Water**",
    "Water is H2O, COVID-19 is none, v1.2 neither, nor GPT-4.",
    "It fell by -7, to $5.",
    "So it was in [2024].",
  ].join("\n\n");
  assertEquals(uncitedFigures(text), [
    "It fell by 7 %.",
    "| year | sum |\n| --- | --- |\n| 2023 | 4 |",
    "## 2. What\nis 8 of it",
    "It fell by -7, to $5.",
    "So it was in [2024].",
  ]);
});

const facts = (url: string, title = "T") => ({ url, title, snippet: "" });

Deno.test("content is never lost, and what is known of a page is not replaced", async () => {
  const kept = keptSession();
  await SourceBook.change(kept, async (book) => {
    await book.keepContent(book.add({ url: "https://a.example/", title: "", snippet: "" }), "the whole page");
  });
  await SourceBook.change(kept, async (book) => {
    const again = book.add({ url: "http://a.example", title: "A", snippet: "found" });
    const { found, opened, ...rest } = again;
    assertEquals([found, opened].map((time) => new Date(time ?? "").getFullYear() > 2000), [true, true]);
    assertEquals(rest, { number: 1, url: "https://a.example/", title: "A", snippet: "found", charCount: 14 });
    book.add({ url: "http://a.example", title: "B", snippet: "other" });
    await book.keepContent(again, "");
    await book.keepContent(again, "another page");
  });
  const last = (await SourceBook.open(kept)).find("https://a.example/")!;
  assertEquals([last.title, last.snippet, last.charCount], ["A", "found", 14]);
  assertEquals(await (await SourceBook.open(kept)).content(last), "the whole page");
});

Deno.test("calls that change the book at once lose nothing of each other", async () => {
  const kept = keptSession();
  const urls = Array.from({ length: 20 }, (_, at) => `https://${at % 12}.example/`);
  const sources = await Promise.all(urls.map((url) =>
    SourceBook.change(kept, async (book) => {
      const source = book.add(facts(url));
      await book.keepContent(source, `text of ${url}`);
      return source;
    })
  ));
  const book = await SourceBook.open(kept);
  assertEquals(book.sources.map(({ number }) => number), Array.from({ length: 12 }, (_, at) => at + 1));
  for (const [at, { number }] of sources.entries()) {
    const source = book.find(urls[at]!)!;
    assertEquals([source.number, await book.content(source)], [number, `text of ${urls[at]}`]);
  }
});
