import { assertEquals, assertStringIncludes } from "@std/assert";

import { drawGantt } from "../../../../../../../runtime/server/page/show/code/draw_gantt.ts";

Deno.test("a plan has a row for each section and task, bars in order of time, and dates below", () => {
  const svg = drawGantt(
    "gantt\n title A <b>\n section S & T\n One :done, 2026-01-01, 10d\n Two :5d\n Ship :milestone, 2026-01-16, 0d",
  )!;
  for (const words of ["A &lt;b&gt;", "S &amp; T", ">One<", ">Two<", ">2026-01-01<", ">2026-01-16<"]) {
    assertStringIncludes(svg, words);
  }
  const bars = [...svg.matchAll(/<rect x="(\d+)" y="\d+" width="(\d+)"/g)].map((
    [, x, width],
  ) => [+x!, +width!]);
  assertEquals(bars.length, 2);
  const [[first, long], [second, short]] = bars as [[number, number], [number, number]];
  assertEquals([second - first, Math.abs(long - 2 * short) <= 2], [long, true]);
  assertEquals(drawGantt("graph TD\nA-->B"), null);
});
