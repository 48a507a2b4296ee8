import { assertEquals } from "@std/assert";

import webSearch from "../../../../tools/par/web_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

const row = (name: string, snippet: string | null) =>
  `<tr><td><a class='result-link' href="//duckduckgo.com/l/?uddg=https%3A%2F%2F${name}.example%2F">${name}</a></td></tr>` +
  (snippet === null ? "" : `<tr><td class='result-snippet'>${snippet}</td></tr>`);

Deno.test("web_search() keeps each snippet with its link", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({
    body: `<table>${row("a", null)}${row("b", "about b")}${row("c", "about c")}</table>`,
  }));
  const { result } = await ws.run(webSearch, { query: "ocaml lwt", max_results: 2 }, { web });
  assertEquals(result, {
    query: "ocaml lwt",
    results: [
      { title: "a", url: "https://a.example/", snippet: "" },
      { title: "b", url: "https://b.example/", snippet: "about b" },
    ],
    result_count: 2,
  });
});

Deno.test("web_search() tells a block from an empty result", async () => {
  using ws = workspace();
  const blocked = await ws.run(webSearch, { query: "x" }, { web: fakeWeb(() => ({ status: 202 })) });
  assertEquals([blocked.error?.code, blocked.error?.retryable], ["external_failure", true]);
  const none = fakeWeb(() => ({ body: "<span class='no-results'>No results.</span>" }));
  assertEquals((await ws.run(webSearch, { query: "x" }, { web: none })).result, {
    query: "x",
    results: [],
    result_count: 0,
  });
  assertEquals((await ws.run(webSearch, { query: " " }, {})).error?.code, "invalid_input");
});
