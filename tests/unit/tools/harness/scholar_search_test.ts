import { assertEquals } from "@std/assert";

import scholarSearch from "../../../../tools/harness/scholar_search.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

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
