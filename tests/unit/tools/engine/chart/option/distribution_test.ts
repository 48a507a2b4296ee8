import { assert, assertEquals } from "@std/assert";

import { binsOf } from "../../../../../../tools/engine/chart/option/distribution.ts";

Deno.test("binsOf() counts every value once, between round numbers", () => {
  const cases = [
    [1, 2, 3],
    [0, 100],
    [-5, -4.5, 0, 7],
    [3, 3, 3],
    Array.from({ length: 1000 }, (_, at) => at / 7),
  ];
  for (const values of cases) {
    const { start, width, counts } = binsOf(values.toSorted((one, other) => one - other));
    assertEquals(counts.reduce((sum, count) => sum + count, 0), values.length);
    assert(start <= Math.min(...values) && start + width * counts.length >= Math.max(...values));
    assert(counts.length <= 42, `${counts.length} bins`);
  }
  assertEquals(binsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).width, 2);
});
