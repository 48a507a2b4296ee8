import { assertEquals } from "@std/assert";

import { joinClipped } from "../../../../../tools/engine/program/join_clipped.ts";

Deno.test("joinClipped() puts the marker on a line of its own", () => {
  const rest = { bytes: 9, omittedLines: 0, binary: false, replaced: false };
  const table: [string, string, number, string][] = [
    ["all\n", "", 0, "all\n"],
    ["", "", 0, ""],
    ["a\n", "z\n", 3, "a\n[cut]\nz\n"],
    ["a", "z", 3, "a\n[cut]\nz"],
    ["", "z", 3, "[cut]\nz"],
  ];
  for (const [head, tail, omittedBytes, expected] of table) {
    assertEquals(joinClipped({ ...rest, head, tail, omittedBytes }, "[cut]"), expected);
  }
});
