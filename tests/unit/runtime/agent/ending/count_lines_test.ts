import { assertEquals } from "@std/assert";

import { countLines } from "../../../../../runtime/agent/ending/count_lines.ts";

Deno.test("countLines() counts as a diff does", { permissions: "none" }, () => {
  const cases: [before: string, after: string, added: number, removed: number][] = [
    ["", "a\nb\n", 2, 0],
    ["a\nb\n", "", 0, 2],
    ["a\nb\nc\n", "a\nx\nc\n", 1, 1],
    ["a\nb\n", "b\na\n", 1, 1],
    ["a\n", "a", 0, 0],
    ["a\na\na\n", "a\na\n", 0, 1],
    ["x\ny\nz\n", "0\nx\n1\nz\n2\n", 3, 1],
  ];
  for (const [before, after, added, removed] of cases) {
    assertEquals(countLines(before, after), { added, removed }, JSON.stringify([before, after]));
  }
});

Deno.test("countLines() stays quick for long texts", { permissions: "none" }, () => {
  const lines = (from: number) => Array.from({ length: 20_000 }, (_, n) => `${from + n}\n`).join("");
  assertEquals(countLines(lines(0), `first\n${lines(10)}`), { added: 11, removed: 10 });
});
