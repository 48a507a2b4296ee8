import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { searchTargets } from "../../../../../../tools/engine/web/search/search_web.ts";
import { search } from "../../../../../support/web/search_scene.ts";
import type { Serve } from "../../../../../support/web/fake_web.ts";

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
  await search({ engines: ["tavily", "serper", "exa"], leftMs: 9_250 }, serve);
  assert(times[0]! > 2_500 && times[0]! <= 3_000, String(times));
  assert(times[2]! > 8_000 && times[2]! <= 9_000, String(times));
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
