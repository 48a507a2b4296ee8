import { assertEquals } from "@std/assert";

import {
  agoWords,
  durationWords,
  inputWords,
  listedValues,
  shortUsage,
  usageWords,
  withoutWords,
} from "../../../../../../runtime/server/page/state/words.ts";

Deno.test("times are told in the unit that fits", () => {
  assertEquals([12.4, 3_440, 125_000, 299_900].map(durationWords), [
    "12 ms",
    "3.4 s",
    "2 min 5 s",
    "5 min 0 s",
  ]);
  const now = Date.parse("2026-01-02T00:00:00Z");
  const times = [
    "2026-01-01T23:59:30Z",
    "2026-01-01T23:50:00Z",
    "2026-01-01T20:00:00Z",
    "2025-12-01T00:00:00Z",
  ];
  assertEquals(times.map((time) => agoWords(time, now)), ["now", "10 min ago", "4 h ago", "2025-12-01"]);
  assertEquals(agoWords("never", now), "");
});

Deno.test("what a run used is told as far as it is known", () => {
  const used = { input_tokens: 1_234, cached_tokens: 0, output_tokens: 5, calls: 1 };
  const paid = { ...used, cost: 0.01234, estimated: false };
  assertEquals(usageWords(paid), "1.2k tokens in, 5 out, 1 call, $0.0123");
  assertEquals(shortUsage(paid), "1.2k tokens, $0.0123");
  const guessed = { ...used, cached_tokens: 1_000, calls: 2, cost: null, estimated: true };
  assertEquals(usageWords(guessed), "about 1.2k tokens in (1.0k cached), 5 out, 2 calls");
  assertEquals(shortUsage(guessed), "~1.2k tokens");
  assertEquals(usageWords({ ...paid, input_tokens: 0, output_tokens: 0, calls: 0, cost: 0 }), "");
  assertEquals([usageWords(null), shortUsage(null)], ["", ""]);
});

Deno.test("what a run does without is told in words", () => {
  assertEquals(withoutWords(null), "");
  assertEquals(
    withoutWords({ deny_net: true, deny_write: ["docs", "a.ts"], tools: ["one/Read"], deny_run: [] }),
    "does not write docs, a.ts; no network; only one/Read",
  );
});

Deno.test("what a call was asked stands in one line", () => {
  assertEquals(inputWords({ path: "a.ts", text: "one\ntwo", list: [1], n: 3 }), "a.ts  one  3");
  assertEquals(inputWords({ text: "x".repeat(300) }).length, 120);
  assertEquals(inputWords(null), "");
});

Deno.test("several values of a field are split by commas and lines", () => {
  assertEquals(listedValues(" a, b\n\nc ,"), ["a", "b", "c"]);
});
