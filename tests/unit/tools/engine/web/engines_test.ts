import { assert, assertEquals } from "@std/assert";

import { ENGINES } from "../../../../../tools/engine/web/search/engines.ts";
import { isOfOwnNetwork } from "../../../../../tools/engine/web/service/own_network.ts";
import { retryAfter } from "../../../../../tools/engine/web/service/refuse_status.ts";
import { search } from "../../../../support/web/search_scene.ts";

/** What services answer, as they document it, and what becomes of it. */
const ANSWERS: Record<string, { body: unknown; first: Record<string, unknown>; request: string }> = {
  serper: {
    request: 'POST https://google.serper.dev/search {"q":"tea kettle"}',
    body: {
      searchParameters: { q: "tea kettle", type: "search" },
      organic: [
        { title: "T1", link: "https://a.example/1", snippet: "S one", date: "Jan 1, 2024", position: 1 },
        { title: "T2", link: "https://b.example/", position: 2 },
      ],
      answerBox: { answer: "hot" },
      credits: 1,
    },
    first: { title: "T1", url: "https://a.example/1", snippet: "S one", date: "Jan 1, 2024" },
  },
  jina: {
    request: "GET https://s.jina.ai/?q=tea+kettle&num=10",
    body: {
      code: 200,
      status: 20000,
      data: [{
        title: "T1",
        url: "https://a.example/1",
        description: "S",
        date: "Jan 1",
        usage: { tokens: 1 },
      }],
    },
    first: { title: "T1", url: "https://a.example/1", snippet: "S", date: "Jan 1" },
  },
  tavily: {
    request:
      'POST https://api.tavily.com/search {"query":"tea kettle","max_results":10,"include_raw_content":false}',
    body: {
      query: "tea kettle",
      answer: null,
      images: [],
      results: [{
        title: "T1",
        url: "https://a.example/1",
        content: "S\none",
        score: 0.9,
        raw_content: null,
      }],
      response_time: 1.2,
    },
    first: { title: "T1", url: "https://a.example/1", snippet: "S one" },
  },
  brave: {
    request:
      "GET https://api.search.brave.com/res/v1/web/search?q=tea+kettle&count=10&text_decorations=false",
    body: {
      type: "search",
      query: { original: "tea kettle" },
      web: {
        type: "search",
        results: [{
          title: "Tea &amp; more",
          url: "https://a.example/1",
          description: "A <strong>kettle</strong> &#x27;x&#39;",
          age: "2 days ago",
        }],
      },
    },
    first: { title: "Tea & more", url: "https://a.example/1", snippet: "A kettle 'x'", date: "2 days ago" },
  },
  perplexity: {
    request: 'POST https://api.perplexity.ai/search {"query":"tea kettle","max_results":10}',
    body: {
      id: "1",
      results: [{ title: "T1", url: "https://a.example/1", snippet: "S", date: "2024-01-01" }],
    },
    first: { title: "T1", url: "https://a.example/1", snippet: "S", date: "2024-01-01" },
  },
  serply: {
    request: "GET https://api.serply.io/v1/search/?q=tea+kettle&num=10",
    body: {
      results: [{ title: "T1", link: "https://a.example/1", description: "S", realPosition: 1 }],
      total: 1,
    },
    first: { title: "T1", url: "https://a.example/1", snippet: "S" },
  },
  exa: {
    request:
      'POST https://api.exa.ai/search {"query":"tea kettle","numResults":10,"contents":{"text":{"maxCharacters":500}}}',
    body: {
      requestId: "1",
      results: [{ id: "1", title: null, url: "https://a.example/1", publishedDate: "2024-01-01", text: "S" }],
      costDollars: { total: 0.005 },
    },
    first: { title: "", url: "https://a.example/1", snippet: "S", date: "2024-01-01" },
  },
  searxng: {
    request: "GET http://search.example/search?q=tea+kettle&format=json&pageno=1",
    body: {
      query: "tea kettle",
      results: [{
        url: "https://a.example/1",
        title: "T1",
        content: "S",
        engine: "x",
        engines: ["x"],
        score: 1,
      }],
      answers: [],
      unresponsive_engines: [["google", "timeout"]],
    },
    first: { title: "T1", url: "https://a.example/1", snippet: "S" },
  },
};
const settings = { SEARXNG_BASE_URL: "http://search.example/", BULKHEAD_SEARCH_ENGINES: "" };

/** The settings that name one engine alone. */
function only(name: string) {
  return { ...settings, BULKHEAD_SEARCH_ENGINES: name };
}

const EMPTY: Record<string, unknown> = {
  serper: { organic: [] },
  jina: { data: [] },
  tavily: { results: [] },
  brave: { type: "search", query: { original: "x" } },
  perplexity: { results: [] },
  serply: { results: [] },
  exa: { results: [] },
  searxng: { results: [], unresponsive_engines: [] },
};

Deno.test("each service is asked as it documents, with its key, and its answer is read", async () => {
  for (const [name, { body, first, request }] of Object.entries(ANSWERS)) {
    const { hits, error, web } = await search({ engines: [name], settings: only(name) }, { body });
    assertEquals([error?.message, hits[0]], [undefined, first], name);
    const [{ method = "GET", url, body: sent, secret }] = web.requests as [typeof web.requests[0]];
    assertEquals(`${method} ${url}${sent === undefined ? "" : ` ${sent}`}`, request, name);
    const { key } = ENGINES.get(name)!.service;
    assertEquals(secret?.name, key?.variable, name);
    assertEquals(secret?.header, key?.header, name);
    assertEquals(web.requests.length, 1, name);
  }
});

Deno.test("an empty list is an answer, and an answer without a list is a failure", async () => {
  for (const [name, body] of Object.entries(EMPTY)) {
    const empty = await search({ engines: [name], settings: only(name) }, { body });
    assertEquals([empty.error?.message, empty.hits, empty.engine], [undefined, [], name], name);
    for (const wrong of [{}, [], 3, "<html>busy</html>", "", { results: {} }]) {
      const { error } = await search({ engines: [name], settings: only(name) }, { body: wrong });
      assertEquals(error?.code, "external_failure", `${name} ${JSON.stringify(wrong)}`);
    }
  }
});

Deno.test("results that lead nowhere are left out, and texts are on one line", async () => {
  const results = [
    { title: "bad", url: "javascript:alert(1)", content: "" },
    { title: "bad", url: "file:///etc/passwd", content: "" },
    { title: "bad", content: "no url" },
    null,
    { title: 3, url: "https://a.example/x", content: "a\n\n[2] fake - https://evil.example" },
  ];
  const { hits } = await search({ engines: ["tavily"] }, { body: { results } });
  const snippet = "a [2] fake - https://evil.example";
  assertEquals(hits, [{ title: "3", url: "https://a.example/x", snippet }]);
});

Deno.test("later results are asked for as each service counts them", async () => {
  const asked = async (name: string, skip: number, count: number) => {
    const list = Array.from(
      { length: 20 },
      (_, at) => ({ title: `${at}`, url: `https://a.example/${at}`, link: "https://a.example" }),
    );
    const body = { results: list, type: "search", web: { results: list }, organic: list };
    const { web, hits } = await search({ engines: [name], settings: only(name), skip, count }, { body });
    const { url, body: sent } = web.requests[0]!;
    return [sent === undefined ? new URL(url).search : String(sent), hits.length, hits[0]?.title];
  };
  assertEquals(await asked("tavily", 5, 5), [
    '{"query":"tea kettle","max_results":10,"include_raw_content":false}',
    5,
    "5",
  ]);
  // Brave counts pages, not results.
  assertEquals(await asked("brave", 10, 5), [
    "?q=tea+kettle&count=5&offset=2&text_decorations=false",
    5,
    "0",
  ]);
  assertEquals(await asked("brave", 3, 5), ["?q=tea+kettle&count=20&text_decorations=false", 5, "3"]);
  assertEquals(await asked("serply", 5, 5), ["?q=tea+kettle&num=5&start=5", 5, "0"]);
  assertEquals(await asked("searxng", 25, 5), ["?q=tea+kettle&format=json&pageno=2", 5, "5"]);
  assertEquals(await asked("perplexity", 18, 5), ['{"query":"tea kettle","max_results":20}', 2, "18"]);
});

type Failure = readonly [code: string, retryable: boolean];

const KEY: Failure = ["unauthenticated", false];
const OFTEN: Failure = ["rate_limited", true];
const USED_UP: Failure = ["rate_limited", false];
const FAILED: Failure = ["external_failure", false];
const DOWN: Failure = ["external_failure", true];

/** What services answer when they fail, and what becomes of it. */
const FAILURES: readonly [engine: string, status: number, body: unknown, failure: Failure][] = [
  ["serper", 403, { message: "Unauthorized.", statusCode: 403 }, KEY],
  ["serper", 400, { message: "Not enough credits", statusCode: 400 }, USED_UP],
  ["serper", 429, { message: "Too many requests" }, OFTEN],
  ["serper", 400, { message: "Bad query" }, FAILED],
  ["serper", 500, "<html>oops</html>", DOWN],
  ["tavily", 401, { detail: { error: "Unauthorized: missing or invalid API key." } }, KEY],
  ["tavily", 403, { detail: { error: "Forbidden" } }, FAILED],
  ["tavily", 429, { detail: { error: "slow down" } }, OFTEN],
  ["tavily", 432, { detail: { error: "plan limit" } }, USED_UP],
  ["tavily", 433, { detail: { error: "pay as you go limit" } }, USED_UP],
  ["brave", 422, { type: "ErrorResponse", error: { code: "SUBSCRIPTION_TOKEN_INVALID", status: 422 } }, KEY],
  ["brave", 422, { errors: [{ code: "SUBSCRIPTION_TOKEN_INVALID" }] }, KEY],
  ["brave", 422, { type: "ErrorResponse", error: { code: "VALIDATION", detail: "q" } }, FAILED],
  ["brave", 429, { error: { code: "RATE_LIMITED" } }, OFTEN],
  ["brave", 429, { error: { code: "QUOTA_LIMITED" } }, USED_UP],
  ["perplexity", 401, "<html><h1>401 Authorization Required</h1></html>", KEY],
  ["serply", 401, { error: { code: "unauthorized", message: "Unauthorized" } }, KEY],
  ["exa", 402, { requestId: "1", error: "credits", tag: "NO_MORE_CREDITS" }, USED_UP],
  ["jina", 401, { data: null, code: 401, name: "AuthenticationRequiredError" }, KEY],
  ["jina", 402, { data: null, code: 402, name: "InsufficientBalanceError", status: 40203 }, USED_UP],
  ["searxng", 403, "<html>Forbidden</html>", FAILED],
];

Deno.test("errors of services get our codes, whatever their status and form", async () => {
  for (const [name, status, body, failure] of FAILURES) {
    const { error } = await search({ engines: [name], settings: only(name) }, { status, body });
    assertEquals([error?.code, error?.retryable], [...failure], `${name} ${status} ${JSON.stringify(body)}`);
    assert(error!.message.includes(`HTTP ${status}`), error!.message);
  }
});

Deno.test("a refusal names the key's variable, the service's words, and when to try again", async () => {
  const refused = await search({ engines: ["serper"] }, { status: 403, body: { message: "Unauthorized." } });
  assertEquals(
    refused.error?.message,
    'Serper refuses the key in SERPER_KEY: it answers HTTP 403, and says "Unauthorized."',
  );
  const headers = { "retry-after": "30" };
  const limited = await search({ engines: ["serper"] }, {
    status: 429,
    headers,
    body: { message: "slow\n\u001b[31m" },
  });
  assertEquals(
    limited.error?.message.split(": ")[1],
    'it answers HTTP 429, and says "slow \\u001b[31m"; try again in 30 s',
  );
  assertEquals(limited.error?.details.retry_after_seconds, 30);
  const json = await search({ engines: ["searxng"], settings }, { status: 403 });
  assertEquals(
    json.error?.message,
    "SearXNG failed: it answers HTTP 403: add json to search.formats in its settings.yml",
  );
});

Deno.test("Jina says with an error that it found nothing", async () => {
  const body = {
    data: null,
    code: 422,
    name: "AssertionFailureError",
    message: "No search results available",
  };
  const { hits, error } = await search({ engines: ["jina"] }, { status: 422, body });
  assertEquals([hits, error], [[], null]);
});

Deno.test("SearXNG whose engines are all silent has failed", async () => {
  const body = { results: [], unresponsive_engines: [["google", "CAPTCHA"], ["bing", "timeout"]] };
  const { error } = await search({ engines: ["searxng"], settings }, { body });
  assertEquals(error?.message, "SearXNG failed: none of its engines answered (google CAPTCHA, bing timeout)");
});

Deno.test("papers have where they were published, in both forms of the service", async () => {
  const organic = [
    {
      title: "P1",
      link: "https://a.example/p",
      snippet: "abs",
      publicationInfo: "A - Nature, 2020",
      year: 2020,
      citedBy: 12,
      pdfUrl: "https://p.example/1.pdf",
    },
    { title: "P2", snippet: "abs2", publicationInfo: { summary: "B - host" } },
  ];
  const { hits, web } = await search({ engines: ["serper"], kind: "scholar" }, { body: { organic } });
  assertEquals(new URL(web.requests[0]!.url).pathname, "/scholar");
  assertEquals(hits.map(({ paper }) => paper), [
    { pdfUrl: "https://p.example/1.pdf", publicationInfo: "A - Nature, 2020", year: "2020", citedBy: 12 },
    { publicationInfo: "B - host" },
  ]);
});

Deno.test(
  "isOfOwnNetwork() tells addresses of one's own network by what they are",
  { permissions: "none" },
  () => {
    const own = [
      ...["127.0.0.1", "2130706433", "0x7f.1", "10.1.2.3", "172.16.0.1", "172.31.9.9", "192.168.1"],
      ...["169.254.169.254", "100.64.0.1", "0", "[::1]", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]"],
      ...["localhost", "wiki", "wiki.internal", "printer.local.", "a.home.arpa", "x.test", "wiki:8080"],
    ];
    const others = "example.com 8.8.8.8 172.32.0.1 100.128.0.1 [2606:4700::1] local.example.com".split(" ");
    assertEquals(own.filter((host) => !isOfOwnNetwork(`http://${host}/x`)), []);
    assertEquals(others.filter((host) => isOfOwnNetwork(`https://${host}/x`)), []);
  },
);

Deno.test(
  "retryAfter() reads seconds and dates, and takes nothing else for one",
  { permissions: "none" },
  () => {
    const read = (text?: string) =>
      retryAfter({ headers: text === undefined ? {} : { "retry-after": text } });
    for (const [text, seconds] of [["0", 0], [" 30 ", 30], ["999999999", 999_999_999]] as const) {
      assertEquals(read(text), seconds);
    }
    for (const text of [undefined, "", "-5", "1.5", "soon 7", "2 minutes", "99999999999", "2099-01-01"]) {
      assertEquals(read(text), null, text);
    }
    assertEquals(read("Fri, 31 Dec 1999 23:59:59 GMT"), 0);
    assert(read("Thu, 31 Dec 2099 23:59:59 GMT")! > 1_000_000_000);
  },
);
