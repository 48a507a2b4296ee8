import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { PageCache } from "../../../../../../tools/engine/web/cache/page_cache.ts";
import { lineRange } from "../../../../../../tools/engine/web/content/lines.ts";
import type { Page } from "../../../../../../tools/engine/web/cache/page.ts";
import { keptSession } from "../../../../../support/web/kept_session.ts";

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
  assertEquals(await (await cache.find("https://a.example/1", { maxAgeMs: 5000 }))?.whole(), given);
  assertEquals(await cache.find("https://a.example/1", { maxAgeMs: 500 }), null);
  assertEquals((await cache.find("https://a.example/1", ALWAYS))?.status, 200);
  assertEquals(await cache.find("https://a.example/2", ALWAYS), null);
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

Deno.test("calls that want one page at once fetch it once; a failure is not kept, and a picture neither", async () => {
  const cache = new PageCache(keptSession());
  let fetches = 0;
  const fetch = async () => {
    fetches++;
    await Promise.resolve();
    return { page: page("https://a.example/") };
  };
  const both = await Promise.all(
    [1, 2, 3].map(() => cache.findOrFetch("https://a.example/", { maxAgeMs: 1000 }, fetch)),
  );
  assertEquals([fetches, both.map(({ totalChars }) => totalChars)], [1, [26, 26, 26]]);
  const other = { want: "page" as const, maxAgeMs: 1000 };
  await assertRejects(() =>
    cache.findOrFetch("https://a.example/", other, () => Promise.reject(new Error("no")))
  );
  const asPage = () => Promise.resolve({ page: { ...page("https://a.example/"), want: "page" as const } });
  await cache.findOrFetch("https://a.example/", other, async () => ({ ...await asPage(), isPicture: true }));
  assertEquals(await cache.find("https://a.example/", other), null);
  await cache.findOrFetch("https://a.example/", other, asPage);
  assert(await cache.find("https://a.example/", other) !== null);
});
