import { assertEquals } from "@std/assert";

import { SourceBook } from "../../../../../../tools/engine/web/sources/source_book.ts";
import { keptSession } from "../../../../../support/web/kept_session.ts";

const facts = (url: string, title = "T") => ({ url, title, snippet: "" });

Deno.test("a page gets its number once, in whatever order pages are found again", async () => {
  const kept = keptSession();
  const searches = [["a", "b", "c"], ["c", "a", "d"], ["d", "e", "b", "f"]];
  const numbers: number[][] = [];
  for (const names of searches) {
    await SourceBook.change(kept, (book) => {
      numbers.push(names.map((name) => book.add(facts(`https://${name}.example/`)).number));
    });
  }
  assertEquals(numbers, [[1, 2, 3], [3, 1, 4], [4, 5, 2, 6]]);
  const book = await SourceBook.open(kept);
  assertEquals(book.sources.map(({ number }) => number), [1, 2, 3, 4, 5, 6]);
  assertEquals(book.find("http://www.b.example/?utm_source=x")?.number, 2);
  assertEquals(book.find("https://z.example/"), null);
});

Deno.test("content is never lost, and what is known of a page is not replaced", async () => {
  const kept = keptSession();
  await SourceBook.change(kept, async (book) => {
    await book.keepContent(book.add({ url: "https://a.example/", title: "", snippet: "" }), "the whole page");
  });
  await SourceBook.change(kept, async (book) => {
    const again = book.add({ url: "http://a.example", title: "A", snippet: "found" });
    const { found, opened, ...rest } = again;
    assertEquals([found, opened].map((time) => new Date(time ?? "").getFullYear() > 2000), [true, true]);
    assertEquals(rest, {
      number: 1,
      url: "https://a.example/",
      title: "A",
      snippet: "found",
      charCount: 14,
    });
    book.add({ url: "http://a.example", title: "B", snippet: "other" });
    await book.keepContent(again, "");
    await book.keepContent(again, "another page");
  });
  const last = (await SourceBook.open(kept)).find("https://a.example/")!;
  assertEquals([last.title, last.snippet, last.charCount], ["A", "found", 14]);
  assertEquals(await (await SourceBook.open(kept)).content(last), "the whole page");
});

Deno.test("calls that change the book at once lose nothing of each other", async () => {
  const kept = keptSession();
  const urls = Array.from({ length: 20 }, (_, at) => `https://${at % 12}.example/`);
  const sources = await Promise.all(urls.map((url) =>
    SourceBook.change(kept, async (book) => {
      const source = book.add(facts(url));
      await book.keepContent(source, `text of ${url}`);
      return source;
    })
  ));
  const book = await SourceBook.open(kept);
  assertEquals(book.sources.map(({ number }) => number), Array.from({ length: 12 }, (_, at) => at + 1));
  for (const [at, { number }] of sources.entries()) {
    const source = book.find(urls[at]!)!;
    assertEquals([source.number, await book.content(source)], [number, `text of ${urls[at]}`]);
  }
});
