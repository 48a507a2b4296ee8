import { assertEquals } from "@std/assert";

import { shownUrl } from "../../../../../runtime/walls/net/check_url.ts";

Deno.test(
  "a URL is shown without its name and its password, however it is written",
  { permissions: "none" },
  () => {
    const shown = {
      "http://u:p@x/": "http://…@x/",
      "http:\\\\u:p@x/": "http:\\\\…@x/",
      "http:u:p@x/": "http:…@x/",
      "http:///u:p@y@x/a@b": "http:///…@x/a@b",
      "//u:p@x": "//…@x",
      "http://u:p\n@x/": "http://…@x/",
      "http://x/a@b": "http://x/a@b",
      "http://x?a@b": "http://x?a@b",
      "example.com": "example.com",
    };
    for (const [text, safe] of Object.entries(shown)) assertEquals(shownUrl(text), safe);
    assertEquals(shownUrl(`http://${"p".repeat(1_000_000)}@x/`), "http://…@x/");
    assertEquals(shownUrl("a".repeat(1_000_000)), `${"a".repeat(200)}…`);
  },
);
