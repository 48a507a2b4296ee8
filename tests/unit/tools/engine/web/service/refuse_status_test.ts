import { assert, assertEquals } from "@std/assert";

import { retryAfter } from "../../../../../../tools/engine/web/service/refuse_status.ts";

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
