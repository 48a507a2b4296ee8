import { assert, assertEquals } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import scholarSearch from "../../../../tools/harness/scholar_search.ts";
import webFetch from "../../../../tools/harness/web_fetch.ts";
import webSearch from "../../../../tools/harness/web_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { type FakeAnswer, fakeWeb } from "../../../support/web/fake_web.ts";

const JINA = "Title: T\n\nURL Source: u\n\n\n\n\nline a  \r\nline b";
const PAGE =
  `<html lang="en"><head><title>Kettles</title><meta name="author" content="Ann"></head><body><article><h1>Kettles</h1>${
    "<p>A kettle is a pot for boiling water, with a lid, a spout and a handle, and it whistles when it is done.</p>"
      .repeat(30)
  }</article></body></html>`;
const jina = ["JINA_KEY"];

Deno.test("WebFetch() reads by Jina Reader, as its document says", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: JINA }));
  const { text } = await ws.run(webFetch, { url: "https://x.example" }, { web, keys: jina });
  assertEquals(
    text,
    "url: https://x.example\nsource_type: web\nstart_line: 1\nend_line: 7\ntotal_lines: 7\ntotal_chars: 39\nmax_chars: 16384\n" +
      "returned_chars: 39\ntruncated: false\ncontent:\nTitle: T\n\nURL Source: u\n\n\nline a\nline b",
  );
  const { url, secret } = web.requests[0]!;
  assertEquals([url, secret], ["https://r.jina.ai/https://x.example", {
    name: "JINA_KEY",
    header: "Authorization",
    scheme: "Bearer",
  }]);
});

Deno.test("WebFetch() fetches and reads by itself without a key, and tells about the page", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: PAGE, url: "https://x.example/final" }));
  const { text, result } = await ws.run(webFetch, { url: "x.example/a", max_chars: 300 }, { web });
  assertEquals(web.requests.map(({ url, secret }) => [url, secret]), [["https://x.example/a", undefined]]);
  const head =
    "url: x.example/a\nsource_type: web\nfinal_url: https://x.example/final\ntitle: Kettles\nauthor: Ann\nlanguage: en\nstart_line: 1\n";
  assertEquals(text.slice(0, head.length), head);
  assertEquals(
    [result.truncated, result.returned_chars <= 300, result.next_start_line > 1],
    Array(3).fill(true),
  );
  assert(text.includes("\nnote: content was truncated by max_chars; use a narrower line range"));
});

Deno.test("WebFetch() reads on without fetching, and stays with the page as it was", async () => {
  using ws = workspace();
  let version = 0;
  const web = fakeWeb(() => ({
    headers: { "content-type": "text/plain" },
    body: Array.from({ length: 200 }, (_, at) => `line ${at + 1} of ${version}`).join("\n") +
      `\n${version++}`,
  }));
  const url = "https://x.example/log#top";
  const lines: string[] = [];
  for (let start: number | undefined = 1; start !== undefined;) {
    const input = { url, start_line: start, max_chars: 500 };
    const { result }: { result: { content: string; next_start_line?: number } } = await ws.run(
      webFetch,
      input,
      { web },
    );
    const whole = result.next_start_line === undefined ? Infinity : result.next_start_line - start;
    lines.push(...result.content.split("\n").slice(0, whole));
    start = result.next_start_line;
  }
  assertEquals([lines.length, lines[199], web.requests.length], [201, "line 200 of 0", 1]);
  const range = await ws.run(webFetch, { url: "https://x.example/log", start_line: 7, end_line: 8 }, { web });
  assertEquals([range.result.content, web.requests.length], ["line 7 of 0\nline 8 of 0", 1]);
  const past = await ws.run(webFetch, { url, start_line: 900 }, { web });
  assertEquals([past.ok, past.result.content], [true, ""]);
  assertEquals(past.result.note, "start_line is past the end: the page has 201 lines.");
});

Deno.test("WebFetch() refuses wrong ranges in the words of its document, before it fetches", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: PAGE }));
  const most =
    "max_chars must be <= WEBFETCH_MAX_CHARS (16384). Use a narrower line range to read more of the page.";
  const table: [input: object, words: string, settings?: Record<string, string>][] = [
    [{ max_chars: 20_000 }, most],
    [{ start_line: 5, end_line: 4 }, "end_line must be >= start_line."],
    [{ start_line: 0 }, "start_line must be >= 1."],
    [{ max_chars: 0 }, "max_chars must be > 0."],
    [{}, "WEBFETCH_MAX_CHARS must be > 0.", { WEBFETCH_MAX_CHARS: "x" }],
  ];
  for (const [input, words, settings = {}] of table) {
    const { text } = await ws.run(webFetch, { url: "https://x.example", ...input }, { web, settings });
    assertEquals(text, `[WebFetch] ${words}`);
  }
  assertEquals(web.requests.length, 0);
});

Deno.test("WebFetch() tells why there is no page", async () => {
  using ws = workspace();
  const of = async (answer: FakeAnswer, url = "https://x.example/p") => {
    const { error } = await ws.run(webFetch, { url }, { web: fakeWeb(() => answer) });
    return [error?.code, error?.retryable, error?.message];
  };
  const missing = "https://x.example/p answers HTTP 404: there is no such page";
  assertEquals(await of({ status: 404 }), ["not_found", false, missing]);
  assertEquals((await of({ status: 403 })).slice(0, 2), ["external_failure", false]);
  assertEquals((await of({ status: 503 })).slice(0, 2), ["external_failure", true]);
  assertEquals((await of({ status: 429 })).slice(0, 2), ["rate_limited", true]);
  for (const status of [429, 503]) {
    const [, , message] = await of({ status, headers: { "retry-after": "700" } });
    assertEquals(String(message).endsWith("; try again in 700 s"), true, String(message));
  }
  const { warnings } = await ws.run(webFetch, { url: "https://x.example/app" }, {
    web: fakeWeb(() => ({ body: "<html><div id=root></div><script>render()</script></html>" })),
  });
  assertEquals(warnings, ["The page has no text: what its scripts would write is not read"]);
  const warned = JINA.replace("\n\n\n\n\n", "\n\nWarning: Target URL returned error 404: Not Found\n\n");
  const byJina = { web: fakeWeb(() => ({ body: warned })), keys: jina };
  const { error } = await ws.run(webFetch, { url: "https://x.example" }, byJina);
  assertEquals(error?.code, "not_found");
});

Deno.test("WebFetch() fetches by itself if the service fails, but not with a refused key", async () => {
  using ws = workspace();
  const fetched = (number: number, answer: FakeAnswer | ToolError) => {
    const web = fakeWeb((_request, { host }) => {
      if (host !== "r.jina.ai") return { body: PAGE };
      if (answer instanceof ToolError) throw answer;
      return answer;
    });
    return ws.run(webFetch, { url: `https://x.example/${number}` }, { web, keys: jina });
  };
  const { ok, warnings } = await fetched(1, { status: 503 });
  const told = ["Jina Reader failed: it answers HTTP 503; the page was fetched without it"];
  assertEquals([ok, warnings], [true, told]);
  assertEquals((await fetched(2, new ToolError("timeout", "slow"))).ok, true);
  assertEquals((await fetched(4, new ToolError("permission_denied", "r.jina.ai is not granted"))).ok, true);
  assertEquals((await fetched(3, { status: 401 })).error?.code, "unauthenticated");
});

Deno.test("WebFetch() tells pages of one's own network to no service outside of it", async () => {
  using ws = workspace();
  const own = "http://wiki.internal/page";
  const asked = async (settings: Record<string, string>) => {
    const web = fakeWeb((_request, { host }) => ({ body: host === "wiki.internal" ? PAGE : JINA }));
    await ws.run(webFetch, { url: own }, { web, keys: jina, settings });
    return web.requests.map(({ url }) => new URL(url).host);
  };
  assertEquals(await asked({}), ["wiki.internal"]);
  const targets = webFetch.targets?.({ url: own, start_line: 1, start_char: 0, want: "article" }, {
    keys: jina,
    settings: {},
  });
  assertEquals(targets, [{ kind: "net", value: own }]);
  using other = workspace();
  const web = fakeWeb(() => ({ body: JINA }));
  const settings = { JINA_READER_BASE_URL: "http://10.0.0.5:3000" };
  await other.run(webFetch, { url: own }, { web, keys: jina, settings });
  assertEquals(web.requests.map(({ url }) => new URL(url).host), ["10.0.0.5:3000"]);
});

Deno.test("WebFetch() names the hosts it will reach", () => {
  const of = (want: "article" | "page", keys: string[]) =>
    webFetch.targets?.({ url: "x.example/a", start_line: 1, start_char: 0, want }, { keys, settings: {} });
  const page = { kind: "net", value: "https://x.example/a" };
  assertEquals(of("article", []), [page]);
  assertEquals(of("article", jina), [page, { kind: "net", value: "https://r.jina.ai", ifNeeded: true }]);
  assertEquals(of("page", jina), [page]);
});

Deno.test("WebFetch() fetches a page once for calls that want it at once, and a picture each time", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: PAGE }));
  const url = "https://x.example/same";
  const all = await Promise.all([1, 2, 3].map(() => ws.run(webFetch, { url }, { web })));
  assertEquals([web.requests.length, new Set(all.map(({ text }) => text)).size], [1, 1]);
  const png = Uint8Array.from(
    atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
    (sign) => sign.charCodeAt(0),
  );
  const pictures = fakeWeb(() => ({ body: png, headers: { "content-type": "image/png" } }));
  for (const _ of [1, 2]) {
    const { images, text } = await ws.run(webFetch, { url: "https://x.example/p.png" }, { web: pictures });
    assertEquals([images.length, text.includes("PNG, 1 x 1 pixels")], [1, true], text);
  }
});

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
  const asked = { q: "茶壶", location: "China", gl: "cn", hl: "zh-cn" };
  assertEquals(JSON.parse(String(web.requests[0]!.body)), asked);
  assertEquals(text, "No results found for '茶壶'. Try with a more general query.");
});

Deno.test("WebSearch() says what is wrong", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ status: 403, body: { message: "Unauthorized." } }));
  const blank = await ws.run(webSearch, { query: " " }, { web, keys });
  assertEquals(blank.text, "[WebSearch] 'query' must be a non-empty string.");
  const missing = await ws.run(webSearch, { query: "x" }, { web });
  assertEquals(missing.error?.code, "unauthenticated");
  assert(missing.text.startsWith("[WebSearch] SERPER_KEY is not set. Set"), missing.text);
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

Deno.test("ScholarSearch() words papers as its document does, and gives the page of those without a PDF", async () => {
  using ws = workspace();
  const organic = [
    {
      title: "P1",
      link: "https://x.example/p1",
      pdfUrl: "https://p.example/1.pdf",
      publicationInfo: "A - Nature, 2020",
      year: 2020,
      citedBy: 12,
      snippet: "abs",
    },
    { title: "P2", link: "https://x.example/p2", snippet: "abs2" },
    { title: "P3", snippet: "abs3" },
  ];
  const web = fakeWeb(() => ({ body: { organic } }));
  const { text } = await ws.run(scholarSearch, { query: "x" }, { web, keys: ["SERPER_KEY"] });
  assertEquals(
    text,
    "A Google scholar for 'x' found 3 results:\n\n## Scholar Results\n" +
      "1. [P1](pdfUrl: https://p.example/1.pdf)\npublicationInfo: A - Nature, 2020\nDate published: 2020\ncitedBy: 12\n\nabs\n\n" +
      "2. [P2](no available link)\npage: https://x.example/p2\n\nabs2\n\n" +
      "3. [P3](no available link)\n\nabs3",
  );
  assertEquals(web.requests.map(({ url, body }) => [url, body]), [[
    "https://google.serper.dev/scholar",
    '{"q":"x"}',
  ]]);
});

Deno.test("ScholarSearch() asks SearXNG for science", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: { results: [] } }));
  const settings = { SEARXNG_BASE_URL: "http://127.0.0.1:8888" };
  const { text } = await ws.run(scholarSearch, { query: "x" }, { web, settings });
  assertEquals(new URL(web.requests[0]!.url).searchParams.get("categories"), "science");
  assertEquals(text, "No results found for 'x'. Try with a more general query.");
});
