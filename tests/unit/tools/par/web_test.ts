import { assertEquals } from "@std/assert";

import type { WebAnswer, WebRequest } from "../../../../schemas/context.ts";
import fetchUrl from "../../../../tools/par/fetch_url.ts";
import readWebpage from "../../../../tools/par/read_webpage.ts";
import webSearch from "../../../../tools/par/web_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

const URL = "https://example.com/";

/** A server that answers all requests with these bytes. */
function server(body: string | Uint8Array, answer: Partial<WebAnswer> = {}) {
  const asked: WebRequest[] = [];
  return {
    asked,
    request(request: WebRequest): Promise<WebAnswer> {
      asked.push(request);
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
      const usual = { status: 200, headers: {}, truncated: false, redirects: [] };
      return Promise.resolve({ url: request.url, body: bytes, ...usual, ...answer });
    },
  };
}

Deno.test("fetch_url gives the text of an answer, whatever its status", async () => {
  using ws = workspace();
  const web = server("gone", { status: 404, url: `${URL}moved` });
  const { result, text } = await ws.run(fetchUrl, { url: URL }, { web });
  const facts = { url: `${URL}moved`, status: 404, content_length: 4, truncated: false };
  assertEquals(result, { ...facts, content: "gone" });
  assertEquals(JSON.parse(text), result);
  assertEquals(web.asked.map(({ url, maxBytes }) => [url, maxBytes]), [[URL, 10 * 1024 * 1024]]);
});

Deno.test("fetch_url cuts at characters, within the bounds of the document", async () => {
  using ws = workspace();
  const web = server("é".repeat(600_000));
  const lengthOf = async (max_length?: number) => {
    const { result, warnings } = await ws.run(fetchUrl, { url: URL, ...(max_length && { max_length }) }, {
      web,
    });
    return [result.content_length, result.truncated, warnings];
  };
  assertEquals(await lengthOf(), [50_000, true, []]);
  assertEquals(await lengthOf(7), [100, true, ["max_length 7 is too small, 100 was used"]]);
  assertEquals(await lengthOf(900_000), [500_000, true, ["max_length 900000 is too large, 500000 was used"]]);
  const faces = await ws.run(fetchUrl, { url: URL, max_length: 101 }, { web: server("😀".repeat(100)) });
  assertEquals([faces.result.content_length, faces.result.truncated], [100, false]);
  assertEquals(faces.result.content.isWellFormed(), true);
});

Deno.test("fetch_url reads the character set that the answer names", async () => {
  using ws = workspace();
  const content = async (body: Uint8Array, type: string) => {
    const web = server(body, { headers: { "content-type": type } });
    return (await ws.run(fetchUrl, { url: URL }, { web })).result.content;
  };
  assertEquals(await content(Uint8Array.of(0xe9), 'text/html; charset="iso-8859-1"'), "é");
  assertEquals(await content(new TextEncoder().encode("é"), "text/html; charset=nonsense"), "é");
});

Deno.test("fetch_url asks for nothing without a URL", async () => {
  using ws = workspace();
  const web = server("");
  assertEquals((await ws.run(fetchUrl, { url: " " }, { web })).error?.code, "invalid_input");
  assertEquals(web.asked, []);
});

const PAGE =
  `<html><head><title>Example Domain</title><style>p {}</style></head><body><nav>Menu</nav><script>bad()</script>
<noscript>also bad</noscript><p>${"All of the text. ".repeat(20)}</p></body></html>`;

Deno.test("read_webpage() returns all text of a page, without scripts and styles", async () => {
  using ws = workspace();
  const { result } = await ws.run(readWebpage, { url: "https://x.example" }, {
    web: fakeWeb(() => ({ body: PAGE })),
  });
  assertEquals([result.url, result.title, result.truncated], ["https://x.example", "Example Domain", false]);
  assertEquals([result.text.includes("bad"), result.text.includes("All of the text")], [false, true]);
  assertEquals(result.text_length, result.text.length);
  const cut = await ws.run(readWebpage, { url: "https://x.example", max_length: 100 }, {
    web: fakeWeb(() => ({ body: PAGE })),
  });
  assertEquals([cut.result.text_length, cut.result.truncated], [100, true]);
});

Deno.test("read_webpage() fails with the status, as its document says", async () => {
  using ws = workspace();
  for (
    const [status, retryable] of [[404, false], [403, false], [429, true], [500, true], [503, true]] as const
  ) {
    const { error } = await ws.run(readWebpage, { url: "https://x.example" }, {
      web: fakeWeb(() => ({ status })),
    });
    assertEquals([error?.code, error?.retryable, error?.message], [
      "external_failure",
      retryable,
      `HTTP ${status} from https://x.example`,
    ]);
  }
});

Deno.test("read_webpage() moves a length that is out of bounds", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: PAGE }));
  const { result, warnings } = await ws.run(readWebpage, { url: "https://x.example", max_length: 3 }, {
    web,
  });
  assertEquals([result.text_length, warnings], [100, ["max_length 3 is too small, 100 was used"]]);
});

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
