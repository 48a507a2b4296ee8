import { assertEquals } from "@std/assert";

import { diffLines } from "../../../../runtime/text/unified_diff.ts";

Deno.test("diffLines() writes what diff -u writes", () => {
  const of = (before: string, after: string) => diffLines(before, after).hunks;
  assertEquals(of("a\nb\n", "a\nb\n"), "");
  assertEquals(of("a\nb\nc\n", "a\nx\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  assertEquals(of("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
  assertEquals(of("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
  assertEquals(of("a", "a\n"), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  const lines = (changed: readonly number[]) =>
    Array.from({ length: 30 }, (_, n) => changed.includes(n) ? `new ${n}\n` : `${n}\n`).join("");
  const heads = of(lines([]), lines([5, 20])).split("\n").filter((line) => line.startsWith("@@"));
  assertEquals(heads, ["@@ -3,7 +3,7 @@", "@@ -18,7 +18,7 @@"]);
});

Deno.test("diffLines() counts lines, and tells texts that differ very much as one change", () => {
  const { added, removed } = diffLines("a\nb\nc\n", "b\nc\nd\ne\n");
  assertEquals([added, removed], [2, 1]);
  const long = (step: number) => Array.from({ length: 5_000 }, (_, n) => `${n * step}\n`).join("");
  const much = diffLines(long(1), long(-1));
  assertEquals([much.added, much.removed], [4_999, 4_999]);
});
