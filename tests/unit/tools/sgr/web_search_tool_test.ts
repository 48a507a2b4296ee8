import { assertEquals } from "@std/assert";

import webSearch from "../../../../tools/sgr/web_search_tool.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

const keys = ["TAVILY_API_KEY", "BRAVE_API_KEY"];
const named = (...names: string[]) =>
  names.map((name) => ({
    title: `Page ${name}`,
    url: `https://${name}.example/x`,
    content: `about ${name}`,
  }));
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

Deno.test("web_search_tool() gives a page one number, through all searches", async () => {
  using ws = workspace();
  const numbers: number[][] = [];
  for (const names of [["a", "b", "c"], ["c", "a", "d"], ["d", "e", "b", "f"]]) {
    const web = fakeWeb(() => ({ body: { results: named(...names) } }));
    const { result } = await ws.run(webSearch, input, { web, keys });
    numbers.push(result.citations.map(({ number }: { number: number }) => number));
  }
  assertEquals(numbers, [[1, 2, 3], [3, 1, 4], [4, 5, 2, 6]]);
});

Deno.test("web_search_tool() takes the smaller number of results, and skips", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: { results: named(..."abcdefghijklmnop") } }));
  const settings = { SGR__SEARCH__MAX_RESULTS: "3" };
  const { result } = await ws.run(webSearch, { ...input, max_results: 7, offset: 2 }, {
    web,
    keys,
    settings,
  });
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
  assertEquals([result.engine, warnings], ["Tavily", [
    "Brave failed: it answers HTTP 500; Tavily was asked instead",
  ]]);
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
  assertEquals(
    (await ws.run(webSearch, input, options)).text.split("\n\n")[2],
    "No results found. Try a more general query.\n",
  );
  assertEquals((await ws.run(webSearch, input, options)).ok, true);
  const { error, text } = await ws.run(webSearch, input, options);
  assertEquals([error?.code, web.requests.length], ["limit_exceeded", 3]);
  assertEquals(
    text,
    "Error: This session had its 2 searches (SGR__SEARCH__MAX_SEARCHES): work with the sources that there are",
  );
});
