import { assert, assertEquals } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import webFetch from "../../../../tools/harness/web_fetch.ts";
import { workspace } from "../../../support/run_tool.ts";
import { type FakeAnswer, fakeWeb } from "../../../support/web/fake_web.ts";

const JINA = "Title: T\n\nURL Source: u\n\n\n\n\nline a  \r\nline b";
const PAGE =
  `<html lang="en"><head><title>Kettles</title><meta name="author" content="Ann"></head><body><article><h1>Kettles</h1>${
    "<p>A kettle is a pot for boiling water, with a lid, a spout and a handle, and it whistles when it is done.</p>"
      .repeat(30)
  }</article></body></html>`;
const keys = ["JINA_KEY"];

Deno.test("WebFetch() reads by Jina Reader, as its document says", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: JINA }));
  const { text } = await ws.run(webFetch, { url: "https://x.example" }, { web, keys });
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
  assertEquals([result.truncated, result.returned_chars <= 300, result.next_start_line > 1], [
    true,
    true,
    true,
  ]);
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
    const { result }: { result: { content: string; next_start_line?: number } } = await ws.run(webFetch, {
      url,
      start_line: start,
      max_chars: 500,
    }, { web });
    const whole = result.next_start_line === undefined ? Infinity : result.next_start_line - start;
    lines.push(...result.content.split("\n").slice(0, whole));
    start = result.next_start_line;
  }
  assertEquals([lines.length, lines[199], web.requests.length], [201, "line 200 of 0", 1]);
  const range = await ws.run(webFetch, { url: "https://x.example/log", start_line: 7, end_line: 8 }, { web });
  assertEquals([range.result.content, web.requests.length], ["line 7 of 0\nline 8 of 0", 1]);
  const past = await ws.run(webFetch, { url, start_line: 900 }, { web });
  assertEquals([past.ok, past.result.content, past.result.note], [
    true,
    "",
    "start_line is past the end: the page has 201 lines.",
  ]);
});

Deno.test("WebFetch() refuses wrong ranges in the words of its document, before it fetches", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: PAGE }));
  const of = async (input: object, settings = {}) =>
    (await ws.run(webFetch, { url: "https://x.example", ...input }, { web, settings })).text;
  assertEquals(
    await of({ max_chars: 20_000 }),
    "[WebFetch] max_chars must be <= WEBFETCH_MAX_CHARS (16384). Use a narrower line range to read more of the page.",
  );
  assertEquals(await of({ start_line: 5, end_line: 4 }), "[WebFetch] end_line must be >= start_line.");
  assertEquals(await of({ start_line: 0 }), "[WebFetch] start_line must be >= 1.");
  assertEquals(await of({ max_chars: 0 }), "[WebFetch] max_chars must be > 0.");
  assertEquals(await of({}, { WEBFETCH_MAX_CHARS: "x" }), "[WebFetch] WEBFETCH_MAX_CHARS must be > 0.");
  assertEquals(web.requests.length, 0);
});

Deno.test("WebFetch() tells why there is no page", async () => {
  using ws = workspace();
  const of = async (answer: FakeAnswer, url = "https://x.example/p") => {
    const { error } = await ws.run(webFetch, { url }, { web: fakeWeb(() => answer) });
    return [error?.code, error?.retryable, error?.message];
  };
  assertEquals(await of({ status: 404 }), [
    "not_found",
    false,
    "https://x.example/p answers HTTP 404: there is no such page",
  ]);
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
  const warned = JINA.replace(
    "\n\n\n\n\nline",
    "\n\nWarning: Target URL returned error 404: Not Found\n\nline",
  );
  const { error } = await ws.run(webFetch, { url: "https://x.example" }, {
    web: fakeWeb(() => ({ body: warned })),
    keys,
  });
  assertEquals(error?.code, "not_found");
});

Deno.test("WebFetch() fetches by itself if the service fails, but not with a refused key", async () => {
  using ws = workspace();
  const by = (answer: FakeAnswer | ToolError) =>
    fakeWeb((_request, { host }) => {
      if (host !== "r.jina.ai") return { body: PAGE };
      if (answer instanceof ToolError) throw answer;
      return answer;
    });
  const broken = by({ status: 503 });
  const { ok, warnings } = await ws.run(webFetch, { url: "https://x.example/1" }, { web: broken, keys });
  assertEquals([ok, warnings], [true, [
    "Jina Reader failed: it answers HTTP 503; the page was fetched without it",
  ]]);
  const slow = by(new ToolError("timeout", "slow"));
  assertEquals((await ws.run(webFetch, { url: "https://x.example/2" }, { web: slow, keys })).ok, true);
  const notGranted = by(new ToolError("permission_denied", "r.jina.ai is not granted"));
  assertEquals((await ws.run(webFetch, { url: "https://x.example/4" }, { web: notGranted, keys })).ok, true);
  const refused = await ws.run(webFetch, { url: "https://x.example/3" }, { web: by({ status: 401 }), keys });
  assertEquals(refused.error?.code, "unauthenticated");
});

Deno.test("WebFetch() tells pages of one's own network to no service outside of it", async () => {
  using ws = workspace();
  const own = "http://wiki.internal/page";
  const asked = async (settings: Record<string, string>) => {
    const web = fakeWeb((_request, { host }) => ({ body: host === "wiki.internal" ? PAGE : JINA }));
    await ws.run(webFetch, { url: own }, { web, keys, settings });
    return web.requests.map(({ url }) => new URL(url).host);
  };
  assertEquals(await asked({}), ["wiki.internal"]);
  assertEquals(webFetch.targets?.({ url: own, start_line: 1, want: "article" }, { keys, settings: {} }), [
    { kind: "net", value: own },
  ]);
  using other = workspace();
  const web = fakeWeb(() => ({ body: JINA }));
  const settings = { JINA_READER_BASE_URL: "http://10.0.0.5:3000" };
  await other.run(webFetch, { url: own }, { web, keys, settings });
  assertEquals(web.requests.map(({ url }) => new URL(url).host), ["10.0.0.5:3000"]);
});

Deno.test("WebFetch() names the hosts it will reach", () => {
  const of = (want: "article" | "page", keys: string[]) =>
    webFetch.targets?.({ url: "x.example/a", start_line: 1, want }, { keys, settings: {} });
  const page = { kind: "net", value: "https://x.example/a" };
  assertEquals(of("article", []), [page]);
  assertEquals(of("article", keys), [page, { kind: "net", value: "https://r.jina.ai", ifNeeded: true }]);
  assertEquals(of("page", keys), [page]);
});

Deno.test("WebFetch() fetches a page once for calls that want it at once, and a picture each time", async () => {
  using ws = workspace();
  const web = fakeWeb(() => ({ body: PAGE }));
  const url = "https://x.example/same";
  const all = await Promise.all([1, 2, 3].map(() => ws.run(webFetch, { url }, { web })));
  assertEquals([web.requests.length, new Set(all.map(({ text }) => text)).size], [1, 1]);
  const png = Uint8Array.from(
    atob(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    ),
    (sign) => sign.charCodeAt(0),
  );
  const pictures = fakeWeb(() => ({ body: png, headers: { "content-type": "image/png" } }));
  for (const _ of [1, 2]) {
    const { images } = await ws.run(webFetch, { url: "https://x.example/p.png" }, { web: pictures });
    assertEquals(images.length, 1);
  }
});
