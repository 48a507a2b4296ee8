import { assertEquals } from "@std/assert";

import { retryAfterMs } from "../../../../runtime/model/retry_after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

Deno.test("retryAfterMs() reads seconds, milliseconds and dates", () => {
  const cases: [Record<string, string>, number | null][] = [
    [{}, null],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "-1" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "" }, null],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" }, 3000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after-ms": "150", "retry-after": "2" }, 150],
    [{ "retry-after-ms": "x", "retry-after": "2" }, 2000],
  ];
  for (const [headers, ms] of cases) {
    assertEquals(retryAfterMs(new Headers(headers), NOW), ms, JSON.stringify(headers));
  }
});
