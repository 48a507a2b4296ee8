import { assertEquals } from "@std/assert";

import { layOut } from "../../../../../../tools/engine/pdf/text/layout.ts";
import type { TextSegment } from "../../../../../../tools/engine/pdf/text/segments.ts";

const CELLS = [["Item", "Qty", "Price"], ["Apple", "3", "1.50"], ["Pear", "10", "0.20"], [
  "Plum",
  "7",
  "1.00",
]];
const TABLE = "Item Qty Price\nApple 3 1.50\nPear 10 0.20\nPlum 7 1.00";

Deno.test("layOut() reads a table row by row, in whatever order it is drawn", () => {
  const cells = CELLS.flatMap((row, y) => row.map((text, x) => ({ text, x: x * 100, y })));
  assertEquals(layOut(segments(cells)), TABLE);
  assertEquals(layOut(segments(cells.toSorted((a, b) => a.x - b.x || a.y - b.y))), TABLE);
  assertEquals(layOut(segments(cells.toReversed())), TABLE);
});

Deno.test("layOut() reads columns one after the other, in whatever order they are drawn", () => {
  const column = (name: string, x: number) =>
    Array.from({ length: 8 }, (_, y) => ({ text: `line ${y} of the ${name} column with words`, x, y }));
  const left = column("left", 0);
  const right = column("right", 300);
  const expected = [...left, ...right].map(({ text }) => text).join("\n");
  assertEquals(layOut(segments([...left, ...right])), expected);
  assertEquals(layOut(segments(left.flatMap((line, index) => [line, right[index]!]))), expected);
});

Deno.test("layOut() reads a heading over columns first and what is below them last", () => {
  const column = (name: string, x: number) =>
    Array.from({ length: 6 }, (_, y) => ({ text: `${name} ${y} which is long enough`, x, y: y + 1 }));
  const heading = { text: "x".repeat(100), x: 0, y: 0 };
  const foot = { text: "y".repeat(100), x: 0, y: 7 };
  const [left, right] = [column("left", 0), column("right", 300)];
  assertEquals(
    layOut(segments([heading, ...left, ...right, foot])),
    [heading, ...left, ...right, foot].map(({ text }) => text).join("\n"),
  );
});

/** Text of 10 points with letters 5 points wide, rows 14 points apart. */
function segments(placed: readonly { text: string; x: number; y: number }[]): TextSegment[] {
  return placed.map(({ text, x, y }, order) => {
    const bottom = 700 - y * 14;
    return { text, left: x, right: x + text.length * 5, bottom, top: bottom + 10, order };
  });
}
