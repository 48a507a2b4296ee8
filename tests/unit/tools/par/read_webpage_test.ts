import { assertEquals } from "@std/assert";

import readWebpage from "../../../../tools/par/read_webpage.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

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
