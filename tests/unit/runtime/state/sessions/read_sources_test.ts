import { assertEquals, assertThrows } from "@std/assert";

import { readSources } from "../../../../../runtime/state/sessions/read_sources.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const ONE = { number: 1, title: "T", url: "https://a.example/", snippet: "", charCount: 0 };

Deno.test("readSources() reads what the tools keep, by number", () => {
  const two = { ...ONE, number: 2, found: "2026-01-30T23:00:00.000Z" };
  assertEquals(readSources({ sources: [two, ONE] }, "s"), [ONE, two]);
  assertEquals([readSources(undefined, "s"), readSources(null, "s")], [[], []]);
});

Deno.test("readSources() refuses what no tool wrote", () => {
  const cases: unknown[] = [
    [],
    "x",
    { sources: {} },
    { sources: [{ ...ONE, number: "1" }] },
    { sources: [{ ...ONE, url: null }] },
    { sources: [{ ...ONE, found: "2026-13-45Tx" }] },
    { sources: [{ ...ONE, opened: "\x1b[2J" }] },
  ];
  for (const kept of cases) assertThrows(() => readSources(kept, "s"), ToolError, "another form");
});
