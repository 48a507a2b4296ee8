import { assert, assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import extract from "../../../../tools/sgr/extract_page_content_tool.ts";
import { OF_TOOL, sayingVariable, SEARCH, wholeNumber } from "../../../../tools/sgr/shared/web_settings.ts";
import webSearch from "../../../../tools/sgr/web_search_tool.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

const tavilyKey = ["TAVILY_API_KEY"];
const A = "https://a.example/x";
const B = "https://b.example/y";
const long = Array.from({ length: 300 }, (_, at) => `Sentence number ${at}.`).join(" ");

/** A service that reads some pages, and finds two. */
const tavily = (pages: Record<string, string>) =>
  fakeWeb(({ body }, { pathname, host }) => {
    if (host !== "api.tavily.com") return { status: 404 };
    if (pathname === "/search") {
      const results = [{ title: "A page", url: A, content: "a" }, { title: "B", url: B, content: "b" }];
      return { body: { results } };
    }
    const { urls } = JSON.parse(String(body)) as { urls: string[] };
    const results = urls.filter((url) => url in pages).map((url) => ({
      url: `${url}/`,
      raw_content: pages[url],
    }));
    const failed = urls.filter((url) => !(url in pages)).map((url) => ({ url, error: "no" }));
    return { body: { results, failed_results: failed, response_time: 1 } };
  });

Deno.test("extract_page_content_tool() words pages as its document does, and keeps their numbers and texts", async () => {
  using ws = workspace();
  const web = tavily({ [A]: "whole text of A", [B]: long });
  const options = { web, keys: tavilyKey, settings: { SGR__SEARCH__CONTENT_LIMIT: "1500" } };
  const search = { reasoning: "", query: "q" };
  await ws.run(webSearch, search, options);
  const { text } = await ws.run(extract, { reasoning: "", urls: [A] }, options);
  assertEquals(
    text,
    `Extracted Page Content:\n\n[1] A page - ${A}\n\n**Full Content:**\nwhole text of A\n\n` +
      "*[Content length: 15 characters]*\n\n---\n\n",
  );
  const again = await ws.run(webSearch, search, options);
  assertEquals(again.result.citations.map(({ number }: { number: number }) => number), [1, 2]);
  const asked = web.requests.length;
  const cited = { reasoning: "", urls: [`${A}/?utm_source=q`] };
  const [page] = (await ws.run(extract, cited, options)).result.pages;
  assertEquals([page.number, page.content, web.requests.length], [1, "whole text of A", asked]);
});

Deno.test("extract_page_content_tool() reads every page to its end, and fetches it once", async () => {
  using ws = workspace();
  const web = tavily({ [B]: long });
  const options = { web, keys: tavilyKey, settings: { SGR__SEARCH__CONTENT_LIMIT: "1000" } };
  let whole = "";
  for (let start: number | null = 0; start !== null;) {
    const { result, text }: {
      result: { pages: { content: string; next_start: number | null }[] };
      text: string;
    } = await ws.run(extract, { reasoning: "", urls: [B], start }, options);
    const [page] = result.pages;
    whole += page!.content;
    start = page!.next_start;
    const on = `of ${long.length}; read on with start=${start}]`;
    assert(start === null || text.includes(on), text.slice(-200));
  }
  assertEquals(whole.replace(/\s+/g, " "), long);
  assertEquals(web.requests.length, 1);
});

Deno.test("extract_page_content_tool() fetches by itself what the service cannot read, and without it", async () => {
  using ws = workspace();
  const web = fakeWeb((_request, { host, pathname }) =>
    host === "api.tavily.com"
      ? { body: { results: [], failed_results: [{ url: A, error: "no" }] } }
      : pathname === "/gone"
      ? { status: 404 }
      : { headers: { "content-type": "text/plain" }, body: "own text" }
  );
  const input = { reasoning: "", urls: [A, "https://c.example/gone"] };
  const one = await ws.run(extract, input, { web, keys: tavilyKey });
  const shown = one.result.pages.map((
    page: Record<string, unknown>,
  ) => [page.number, page.title, page.content]);
  assertEquals(shown, [[1, "x", "own text"], [null, "gone", ""]]);
  assertEquals(one.warnings, ["https://c.example/gone answers HTTP 404: there is no such page"]);
  assert(one.text.includes("gone - https://c.example/gone\n*Failed to extract content*"));
  const alone = await ws.run(extract, { reasoning: "", urls: ["b.example/y"] }, { web });
  assertEquals(alone.result.pages[0].content, "own text");
  const none = await ws.run(extract, { reasoning: "", urls: ["https://c.example/gone"] }, { web });
  assertEquals(none.error?.code, "not_found");
});

Deno.test("extract_page_content_tool() tells pages of one's own network to no service outside of it", async () => {
  using ws = workspace();
  const own = "http://wiki.internal/page";
  const asked: string[] = [];
  const web = fakeWeb((request, { host }) => {
    asked.push(host === "api.tavily.com" ? String(request.body) : host);
    return host === "api.tavily.com"
      ? { body: { results: [{ url: A, raw_content: "of A" }], failed_results: [] } }
      : { body: "<p>Of the wiki</p>" };
  });
  const { ok } = await ws.run(extract, { reasoning: "", urls: [own, A] }, { web, keys: tavilyKey });
  assertEquals([ok, asked.length, asked.filter((body) => body.includes(own))], [true, 2, []]);
});

Deno.test("numbers never move and nothing is lost: overlapping searches, other fragments, redirects", async () => {
  using ws = workspace();
  const P = (name: string) => `https://${name}.example/page`;
  const finds: string[][] = [
    ["a", "b", "c"].map(P),
    [P("c"), `${P("a")}#part-2`, P("d")],
    [P("d"), P("e"), `http://www.b.example/page/`, P("to")],
    [`${P("spa")}#/one`, `${P("spa")}#/two`],
  ];
  const web = fakeWeb((_request, url) => {
    if (url.pathname === "/search") {
      return { body: { results: finds.shift()!.map((url) => ({ title: url, url, content: "s" })) } };
    }
    // The service reads none of them.
    if (url.pathname === "/extract") return { body: { results: [], failed_results: [] } };
    const to = url.host === "from.example" ? P("to") : url.href;
    const body = `${new URL(to).host}: ${"word ".repeat(1000)}end`;
    return { url: to, headers: { "content-type": "text/plain" }, body };
  });
  const options = { web, keys: tavilyKey };
  const found: number[][] = [];
  const search = async () => {
    const { result } = await ws.run(webSearch, { reasoning: "", query: "q" }, options);
    found.push(result.citations.map(({ number }: { number: number }) => number));
  };
  const page = async (url: string, start = 0) =>
    (await ws.run(extract, { reasoning: "", urls: [url], start }, options)).result.pages[0];
  await search();
  // The text that one fragment brought is there for the others, also after the page was found again.
  assertEquals((await page(`${P("a")}#part-1`)).number, 1);
  await search();
  // A page that leads to another one keeps its own number and text, before and after the other is found.
  assertEquals((await page(P("from"))).number, 5);
  await search();
  await search();
  assertEquals(found, [[1, 2, 3], [3, 1, 4], [4, 6, 2, 7], [8, 9]]);
  const asked = web.requests.length;
  for (
    const [url, number, host] of [[P("a"), 1, "a"], [`${P("a")}#x`, 1, "a"], [P("from"), 5, "to"]] as const
  ) {
    const first = await page(url);
    const rest = await page(url, first.next_start);
    assertEquals([first.number, rest.number], [number, number]);
    const whole = `${first.content}${rest.content}`.replace(/\s+/g, " ");
    assertEquals(whole === `${host}.example: ${"word ".repeat(1000)}end`, true, whole.length.toString());
  }
  assertEquals(web.requests.length, asked);
  assertEquals((await page(P("to"))).number, 7);
});

const keys = ["TAVILY_API_KEY", "BRAVE_API_KEY"];
const named = (...names: string[]) =>
  names.map((n) => ({ title: `Page ${n}`, url: `https://${n}.example/x`, content: `about ${n}` }));
const input = { reasoning: "to know", query: "q" };

Deno.test("web_search_tool() words results as its document does", async () => {
  using ws = workspace();
  const long = "x".repeat(150);
  const results = [
    { title: "A page", url: "https://a.example/x", content: long },
    { title: "B", url: "https://b.example/y", content: "short" },
  ];
  const web = fakeWeb(() => ({ body: { results } }));
  const { text, result } = await ws.run(webSearch, input, { web, keys });
  assertEquals(
    text,
    "Search Query: q\n\nSearch Results (titles, links, short snippets):\n\n" +
      `[1] A page - https://a.example/x\n${"x".repeat(100)}...\n\n[2] B - https://b.example/y\nshort\n\n`,
  );
  assertEquals(result.citations[0].snippet, long);
});

Deno.test("web_search_tool() takes the smaller number of results, and skips", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: { results: named(..."abcdefghijklmnop") } }));
  const settings = { SGR__SEARCH__MAX_RESULTS: "3" };
  const asked = { ...input, max_results: 7, offset: 2 };
  const { result } = await ws.run(webSearch, asked, { web, keys, settings });
  assertEquals(result.citations.map(({ title }: { title: string }) => title), ["Page c", "Page d", "Page e"]);
  assertEquals(JSON.parse(String(web.requests[0]!.body)).max_results, 5);
});

Deno.test("web_search_tool() asks the engine of the settings first", async () => {
  using ws = workspace();
  const web = fakeWeb((_request, { host }) =>
    host === "api.search.brave.com" ? { status: 500 } : { body: { results: named("a") } }
  );
  const settings = { SGR__SEARCH__ENGINE: "Brave" };
  const { result, warnings } = await ws.run(webSearch, input, { web, keys, settings });
  const told = "Brave failed: it answers HTTP 500; Tavily was asked instead";
  assertEquals([result.engine, warnings], ["Tavily", [told]]);
  const wrong = await ws.run(webSearch, input, { web, keys, settings: { SGR__SEARCH__ENGINE: "google" } });
  assertEquals(wrong.error?.code, "configuration");
});

Deno.test("web_search_tool() counts searches that worked, up to the user's bound", async () => {
  using ws = workspace();
  let works = false;
  const web = fakeWeb(() => works ? { body: { results: [] } } : { status: 429 });
  const options = { web, keys: ["TAVILY_API_KEY"], settings: { SGR__SEARCH__MAX_SEARCHES: "2" } };
  assertEquals((await ws.run(webSearch, input, options)).error?.code, "rate_limited");
  works = true;
  const { text: nothing } = await ws.run(webSearch, input, options);
  assertEquals(nothing.split("\n\n")[2], "No results found. Try a more general query.\n");
  assertEquals((await ws.run(webSearch, input, options)).ok, true);
  const { error, text } = await ws.run(webSearch, input, options);
  assertEquals([error?.code, web.requests.length], ["limit_exceeded", 3]);
  assertEquals(
    text,
    "Error: This session had its 2 searches (SGR__SEARCH__MAX_SEARCHES): work with the sources that there are",
  );
});

const OWN = "SGR__TOOLS__WEB_SEARCH_TOOL__MAX_RESULTS";
const results = (settings: Record<string, string>) =>
  wholeNumber({ settings }, { variable: SEARCH.maxResults, least: 1, usual: 10 });

Deno.test(
  "wholeNumber() takes a tool's own variable before that of the section",
  { permissions: "none" },
  () => {
    assertEquals(OF_TOOL[SEARCH.maxResults], OWN);
    assertEquals(results({}), 10);
    assertEquals(results({ [SEARCH.maxResults]: "4" }), 4);
    assertEquals(results({ [SEARCH.maxResults]: "4", [OWN]: " 7 " }), 7);
    assertEquals(results({ [SEARCH.maxResults]: "4", [OWN]: " " }), 4);
    assertEquals(results({ [SEARCH.maxResults]: "" }), 10);
    const words = `${OWN} is "many": it must be a whole number from 1`;
    assertThrows(() => results({ [OWN]: "many" }), ToolError, words);
    assertThrows(() => results({ [SEARCH.maxResults]: "0" }), ToolError, "from 1");
  },
);

Deno.test("sayingVariable() names the variable that a message is about", { permissions: "none" }, () => {
  assertEquals(sayingVariable({ settings: {} }, SEARCH.engine), SEARCH.engine);
  const own = OF_TOOL[SEARCH.engine];
  assertEquals(sayingVariable({ settings: { [own]: "brave" } }, SEARCH.engine), own);
  assertEquals(sayingVariable({ settings: { OTHER: "x" } }, "OTHER"), "OTHER");
});
