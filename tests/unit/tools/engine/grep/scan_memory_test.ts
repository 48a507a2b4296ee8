import { assertEquals } from "@std/assert";

import { createScanMemory } from "../../../../../tools/engine/grep/scan_memory.ts";

Deno.test("createScanMemory() finds a NUL anywhere before the end and none behind it", {
  permissions: "none",
}, () => {
  const memory = createScanMemory(4096);
  memory.bytes.fill(1);
  for (const size of [0, 1, 15, 16, 17, 31, 100]) {
    assertEquals(memory.hasNul(size), false, String(size));
    for (let at = 0; at <= size; at++) {
      memory.bytes[at] = 0;
      assertEquals(memory.hasNul(size), at < size, `${at} of ${size}`);
      memory.bytes[at] = 1;
    }
  }
});

Deno.test("createScanMemory() finds a pair of bytes at every place", { permissions: "none" }, () => {
  const memory = createScanMemory(4096);
  const pair = { offsets: [0, 5], values: [[97, 65], [98, 66]] } as const;
  for (let at = 0; at < 60; at++) {
    memory.bytes.fill(0, 0, 200);
    memory.bytes[at] = at % 2 === 0 ? 97 : 65;
    memory.bytes[at + 5] = at % 3 === 0 ? 98 : 66;
    assertEquals(memory.findPair(0, 60, pair), at);
    assertEquals(memory.findPair(at, 60, pair), at);
    assertEquals(memory.findPair(at + 1, 60, pair), -1);
    assertEquals(memory.findPair(0, at, pair), -1);
  }
});
