import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import type { ToolContext } from "../../../../../schemas/context.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { ToolDefinition } from "../../../../../schemas/tool.ts";
import type { Page } from "../../../../../tools/engine/web/cache/page.ts";
import { PageCache } from "../../../../../tools/engine/web/cache/page_cache.ts";
import { decodeText } from "../../../../../tools/engine/web/charset/decode.ts";
import { kindOf, type WebKind } from "../../../../../tools/engine/web/content/kind_of.ts";
import { lineRange } from "../../../../../tools/engine/web/content/lines.ts";
import { readContent, wayNote } from "../../../../../tools/engine/web/content/read_content.ts";
import { fetchRobotRules } from "../../../../../tools/engine/web/crawl/robots.ts";
import { countWords, dropShortBlocks } from "../../../../../tools/engine/web/fetch/blocks.ts";
import { cleanText, takeChars } from "../../../../../tools/engine/web/fetch/clean_text.ts";
import { readers } from "../../../../../tools/mod.ts";
import { type FakeAnswer, fakeWeb } from "../../../../support/web/fake_web.ts";
import { keptSession } from "../../../../support/web/kept_session.ts";
import { ARTICLE } from "../../../../support/web/pages.ts";

const page = (asked: string, fetchedAt = Date.now(), text = `text of ${asked}`): Page => ({
  asked,
  want: "article",
  url: asked,
  status: 200,
  title: "",
  author: null,
  date: null,
  language: null,
  text,
  links: 0,
  images: 0,
  notes: [],
  fetchedAt,
});
const ALWAYS = { maxAgeMs: Infinity };

Deno.test("a page is found by its address as long as it is fresh", async () => {
  const cache = new PageCache(keptSession());
  const given = page("https://a.example/1", Date.now() - 1000);
  await cache.keep(given);
  assertEquals(await (await cache.find("https://a.example/1", { maxAgeMs: 600_000 }))?.whole(), given);
  assertEquals(await cache.find("https://a.example/1", { maxAgeMs: 500 }), null);
  assertEquals((await cache.find("https://a.example/1", ALWAYS))?.status, 200);
  assertEquals(await cache.find("https://a.example/2", ALWAYS), null);
  // The whole page is kept apart from its article.
  assertEquals(await cache.find("https://a.example/1", { want: "page", ...ALWAYS }), null);
});

Deno.test("a session keeps a bounded number of pages, and never gives one for another", async () => {
  const kept = keptSession();
  const cache = new PageCache(kept);
  const all = Array.from({ length: 2000 }, (_, at) => `https://a.example/${at}`);
  for (const url of all) await cache.keep(page(url));
  assert(kept.values.size <= 2 * 256);
  for (const url of all) {
    const found = await cache.find(url, ALWAYS);
    assert(found === null || found.asked === url);
  }
});

Deno.test("what is broken in the session is no page", async () => {
  const kept = keptSession();
  const cache = new PageCache(kept);
  await cache.keep(page("https://a.example/"));
  for (const key of kept.values.keys()) {
    kept.values.set(key, JSON.stringify({ asked: "https://a.example/", parts: 3 }));
  }
  assertEquals(await cache.find("https://a.example/", ALWAYS), null);
});

Deno.test("lines of a kept page are those of its text, and only the parts that hold them are loaded", async () => {
  const kept = keptSession();
  const cache = new PageCache(kept);
  const url = "https://a.example/long";
  const lines = Array.from(
    { length: 9000 },
    (_, at) => at % 7 === 0 ? "" : `line ${at} ${"x".repeat(at % 90)}`,
  );
  for (const text of [lines.join("\n"), "", "one", "a\n", `${"y".repeat(65_536)}\n`, "\n\n"]) {
    const fresh = await cache.keep(page(url, Date.now(), text));
    for (const startLine of [1, 2, 1299, 1300, 4000, 8999, 9000, 9001, 20_000]) {
      for (
        const [endLine, maxChars] of [[Infinity, 16_384], [startLine, 50], [startLine + 5000, 1e9]] as const
      ) {
        const range = { startLine, endLine, maxChars };
        const expected = lineRange(text, range);
        assertEquals(await (await cache.find(url, ALWAYS))!.lines(range), expected);
        assertEquals(await fresh.lines(range), expected);
      }
    }
    assertEquals((await (await cache.find(url, ALWAYS))!.whole()).text, text);
  }
  await cache.keep(page(url, Date.now(), lines.join("\n")));
  kept.asked.splice(0);
  await (await cache.find(url, ALWAYS))!.lines({ startLine: 5000, endLine: Infinity, maxChars: 16_384 });
  assert(kept.asked.length <= 3, kept.asked.join());
});

Deno.test("a page that is replaced while it is read gives no lines of two texts", async () => {
  const cache = new PageCache(keptSession());
  await cache.keep(page("https://a.example/", Date.now(), "old"));
  const found = await cache.find("https://a.example/", ALWAYS);
  await cache.keep(page("https://a.example/", Date.now(), "new"));
  const { code, retryable } = await assertRejects(() => found!.whole(), ToolError);
  assertEquals([code, retryable], ["conflict", true]);
});

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => typeof part === "string" ? [...utf8(part)] : part));

const SETS: readonly (readonly [string, Uint8Array, string, string, string])[] = [
  ["a mark wins over the header", bytes([0xef, 0xbb, 0xbf], "é"), "text/html; charset=latin1", "é", "utf-8"],
  ["UTF-16 by its mark", bytes([0xff, 0xfe, 0xe9, 0]), "", "é", "utf-16le"],
  ["UTF-16, the other way round", bytes([0xfe, 0xff, 0, 0xe9]), "", "é", "utf-16be"],
  ["the header", bytes([0xe9]), 'text/html; Charset="ISO-8859-1"', "é", "windows-1252"],
  [
    "the header wins over the page",
    bytes('<meta charset="utf-8">', [0xb1]),
    "text/html;charset=iso-8859-2",
    '<meta charset="utf-8">ą',
    "iso-8859-2",
  ],
  ["the page", bytes("<meta charset=gbk>", [0xc4, 0xe3]), "text/html", "<meta charset=gbk>你", "gbk"],
  [
    "the page, in the long form",
    bytes('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', [0x82, 0xa0]),
    "",
    '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">あ',
    "shift_jis",
  ],
  ["UTF-16 in a page of bytes", bytes('<meta charset="utf-16">é'), "", '<meta charset="utf-16">é', "utf-8"],
  [
    "XML",
    bytes('<?xml version="1.0" encoding="koi8-r"?>', [0xc1]),
    "",
    '<?xml version="1.0" encoding="koi8-r"?>а',
    "koi8-r",
  ],
  ["names that the standard lacks", bytes([0xb0, 0xa1]), "text/html; charset=cp949", "가", "euc-kr"],
  ["a name that nobody knows", bytes("é"), "text/html; charset=utf-7", "é", "utf-8"],
  ["no name, valid UTF-8", bytes("naïve"), "text/plain", "naïve", "utf-8"],
  ["no name, cut within a character", bytes("naï", [0xc3]), "", "naï", "utf-8"],
  ["no name, not UTF-8", bytes("na", [0xef], "ve ", [0x93], "x", [0x94]), "", "naïve “x”", "windows-1252"],
  ["a wrong name", bytes("caf", [0xe9], " noir"), "text/html; charset=utf-8", "café noir", "windows-1252"],
];

for (const [title, given, contentType, text, charset] of SETS) {
  Deno.test(`decodeText() reads ${title}`, () => {
    const found = decodeText(given, contentType);
    assertEquals([found.text, found.charset], [text, charset]);
  });
}

Deno.test("decodeText() keeps UTF-8 with one damaged character", () => {
  assertEquals(decodeText(bytes("über ", [0xff]), "text/html; charset=utf-8").text, "über \ufffd");
});

const URL_OF = "https://shop.example/a";

const KINDS: readonly (readonly [WebKind, string | Uint8Array, string])[] = [
  ["html", "<p>hello", "text/html; charset=utf-8"],
  ["html", "no tags at all", "text/html"],
  ["html", "<!-- c -->\n<!DOCTYPE html><html>", ""],
  ["html", "<html><body>", "application/octet-stream"],
  ["html", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xml"],
  ["html", "<html/>", "application/xhtml+xml"],
  ["text", "<html><body>", "text/plain"],
  ["text", "just words", ""],
  ["text", "# heading", "text/markdown"],
  ["text", "a { color: red }", "text/css"],
  ["text", "", "text/html-not"],
  ["json", '{"a": 1}', "application/json"],
  ["json", '{"a": 1}', "application/vnd.api+json; charset=utf-8"],
  ["json", '{"a": 1}\n', "text/html"],
  ["json", "[1, 2]", "text/plain"],
  ["text", "[draft] a note", "text/plain"],
  ["xml", "<rss/>", "application/rss+xml"],
  ["xml", '<?xml version="1.0"?><feed/>', ""],
  ["pdf", "%PDF-1.7 …", "text/html"],
  ["image", "\x89PNG\r\n\x1a\n", "application/json"],
  ["image", "GIF89a", "image/gif"],
  ["other", new Uint8Array([0, 1, 2, 3]), "application/octet-stream"],
  ["other", new Uint8Array([0x1f, 0x8b, 8]), "text/html"],
  ["html", new Uint8Array([0xff, 0xfe, 0x3c, 0, 0x68, 0, 0x74, 0, 0x6d, 0, 0x6c, 0, 0x3e, 0]), ""],
];

for (const [kind, given, contentType] of KINDS) {
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 30)) : `${given.length} bytes`;
  Deno.test(`kindOf() says ${kind} for ${shown} as ${JSON.stringify(contentType)}`, () => {
    const bytes = typeof given === "string" ? latin1(given) : given;
    assertEquals(kindOf(bytes, contentType, URL_OF), kind);
  });
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const TEXT = "one\ntwo\n\nfour\nfive";

Deno.test("lineRange() reads the line that was cut again, unless it is too long", () => {
  const inLine = lineRange(TEXT, { startLine: 1, maxChars: 6 });
  assertEquals([inLine.text, inLine.endLine, inLine.isCut, inLine.nextLine], ["one\ntw", 2, true, 2]);
  const atEnd = lineRange(TEXT, { startLine: 1, maxChars: 3 });
  assertEquals([atEnd.text, atEnd.endLine, atEnd.nextLine], ["one", 1, 2]);
  const long = lineRange("a".repeat(50) + "\nb", { startLine: 1, maxChars: 10 });
  assertEquals([long.text.length, long.isCut, long.nextLine, long.nextChar], [10, true, 1, 10]);
  const rest = lineRange("a".repeat(12) + "\nb", { startLine: 1, startChar: 10, maxChars: 10 });
  assertEquals([rest.text, rest.nextLine, rest.nextChar], ["aa\nb", null, 0]);
});

Deno.test("lineRange() cuts no character in two, and is empty past the end", () => {
  assertEquals(lineRange("ab😀c", { startLine: 1, maxChars: 3 }).text, "ab😀");
  const past = lineRange(TEXT, { startLine: 9, maxChars: 3 });
  assertEquals([past.text, past.endLine, past.nextLine, past.isCut], ["", 0, null, false]);
  assertEquals(lineRange("", { startLine: 1, maxChars: 3 }).totalLines, 0);
});

/** A context whose readers work in this process. */
const context = {
  deadline: Date.now() + 600_000,
  documents: {
    async read(name: string, bytes: Uint8Array, { input }: { input: unknown }) {
      const loaded = await readers[`reader/${name}` as keyof typeof readers]();
      const reader = loaded.default as unknown as ToolDefinition;
      return await reader.run(reader.input.parse(input), { bytes } as ToolContext);
    },
  },
} as unknown as ToolContext;

const options = { want: "article", maxChars: 100_000 } as const;
const given = (content: string | Uint8Array, contentType: string) => ({
  bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
  contentType,
  url: "https://harbour.example/a",
});

Deno.test("readContent() reads pages and texts with the reader of pages", async () => {
  const page = await readContent(given(ARTICLE, "text/html"), options, context);
  assertEquals([page.kind, page.way, page.site, page.picture], ["html", "article", "Harbour News", null]);
  const json = await readContent(given('{"a": 1}', "application/json"), options, context);
  assertEquals([json.kind, json.way, json.text], ["json", "text", '{"a": 1}']);
});

Deno.test("readContent() refuses what is no text, and says so", async () => {
  const archive = given(new Uint8Array([0x1f, 0x8b, 8, 0]), "application/gzip");
  const error = await assertRejects(() => readContent(archive, options, context), ToolError);
  assertEquals(error.code, "invalid_input");
  assertStringIncludes(error.message, '"application/gzip"');
});

Deno.test("wayNote() says where no article was found, and how to read all", () => {
  assertEquals(wayNote("article", "Pass x."), null);
  assertEquals(wayNote("text", "Pass x."), null);
  assertStringIncludes(wayNote("main", "Pass x.") ?? "", "Pass x.");
  assertStringIncludes(wayNote("body", "Pass x.") ?? "", "No article was found");
});

const signal = new AbortController().signal;
const rulesOf = (answer: FakeAnswer) =>
  fetchRobotRules("https://a.example", { web: fakeWeb(() => answer), signal });

Deno.test("robots.txt: the longest rule for bulkhead wins, else those for all", async () => {
  const body =
    "User-agent: *\nDisallow: /\nCrawl-delay: 9\n\nUser-agent: Bulkhead\nDisallow: /private\nAllow: /private/open$\nCrawl-delay: 2\n";
  const { mayCrawl, delaySeconds } = await rulesOf({ body });
  const pages = ["/", "/private/x", "/private/open", "/private/open/x", "/robots.txt"];
  assertEquals(pages.map((page) => mayCrawl(`https://a.example${page}`)), [true, false, true, false, true]);
  assertEquals(delaySeconds, 2);
});

Deno.test("robots.txt: none allows everything, a failing one nothing", async () => {
  const may = async (answer: FakeAnswer) => (await rulesOf(answer)).mayCrawl("https://a.example/x");
  assertEquals(await may({ status: 404 }), true);
  assertEquals(await may({ status: 403 }), true);
  assertEquals(await may({ status: 503 }), false);
  assertEquals(await may({ status: 429 }), false);
  assertEquals(await may({ body: "<html>not robots</html>" }), true);
  assertEquals((await rulesOf({ status: 503 })).failure, "it answers HTTP 503");
  assertEquals((await rulesOf({ status: 404 })).failure, null);
  const gone = fakeWeb(() => {
    throw new ToolError("external_failure", "no connection");
  });
  assertEquals(
    (await fetchRobotRules("https://a.example", { web: gone, signal })).mayCrawl("https://a.example/x"),
    false,
  );
  const refused = fakeWeb(() => {
    throw new ToolError("permission_denied", "not granted");
  });
  await assertRejects(
    () => fetchRobotRules("https://a.example", { web: refused, signal }),
    ToolError,
    "not granted",
  );
});

Deno.test("countWords() counts words, and each sign where there are no blanks", () => {
  assertEquals(countWords("It's a well-known tea, isn't it? 3.5"), 8);
  assertEquals(countWords("茶壶 tea"), 3);
  assertEquals(countWords(""), 0);
});

Deno.test("dropShortBlocks() leaves out short paragraphs alone", () => {
  const long = "one two three four five six seven eight nine ten";
  const kept = ["# Head", "- item", "| a | b |\n|---|---|", "```ts\nx\n\ny\n```", "> said", "    code", long];
  const text = ["Share this", ...kept, "Next page"].join("\n\n");
  assertEquals(dropShortBlocks(text, 10), kept.join("\n\n"));
  assertEquals(dropShortBlocks(text, 1), text);
});

Deno.test("cleanText() leaves one kind of line end, no NUL, no blanks at ends, and two empty lines at most", () => {
  assertEquals(cleanText("\n a \t\r\nb\0\rc\n\n\n\n\n\nd  \n"), "a\nb\nc\n\n\nd");
  assertEquals(cleanText(" \n\n "), "");
});

Deno.test("cleanText() parts long lines so that all of them can be read", () => {
  const words = "word ".repeat(3000);
  const lines = cleanText(words).split("\n");
  assertEquals(lines.every((line) => line.length <= 4000), true);
  assertEquals(lines.join(" "), words.trim());
  const signs = "😀".repeat(5001);
  assertEquals(cleanText(signs).replaceAll("\n", ""), signs);
});

Deno.test("takeChars() tears no character in two, and goes on where it ended", () => {
  const text = "a😀b😀c";
  for (let count = 1; count < 8; count++) {
    let whole = "";
    for (let start = 0; start < [...text].length;) {
      const { text: part, next } = takeChars(text, { start, count });
      assertEquals(part.isWellFormed(), true);
      whole += part;
      if (next <= start) throw new Error(`no progress with ${count}`);
      start = next;
    }
    assertEquals(whole, text);
  }
});
