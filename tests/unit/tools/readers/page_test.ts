import { assert, assertEquals } from "@std/assert";

import page from "../../../../tools/readers/page.ts";
import { rounds } from "../../../support/tier.ts";
import { hostilePages } from "../../../support/web/hostile_pages.ts";

// About a MB at each change, 10 MB before a release.
for (const [title, { html, told }] of Object.entries(hostilePages(rounds(1, 10)))) {
  Deno.test(`the reader of pages ends with ${title}`, async () => {
    const request = {
      url: "https://a.example/",
      contentType: "text/html",
      kind: "html",
      want: "article",
      maxChars: 2_000_000,
    };
    const bytes = new TextEncoder().encode(html());
    const reading = page.output.parse(await page.run(page.input.parse(request), { bytes } as never));
    assert(reading.text.includes(told), reading.text.slice(0, 100));
    assert(reading.totalChars <= 2_000_000);
  });
}

Deno.test("the reader of pages holds nothing, and has 15 seconds", () => {
  assertEquals([page.needs, page.limits.timeoutMs], [{}, 15_000]);
});
