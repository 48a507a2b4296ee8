import { assert, assertEquals } from "@std/assert";

import { placeWords } from "../../../../../../tools/engine/chart/option/word_cloud.ts";
import { textWidth } from "../../../../../../tools/engine/chart/series/words.ts";

Deno.test("placeWords() places the largest in the middle, and none upon another or outside", () => {
  const words = Array.from(
    { length: 120 },
    (_, at) => [at % 3 === 0 ? `词语${at}` : `word${at}`, 120 - at] as const,
  );
  const placed = placeWords(words);
  assert(placed.length > 110, `only ${placed.length} words`);
  assertEquals([placed[0]?.text, placed[0]?.x], ["词语0", 500]);
  const boxes = placed.map(({ text, size, x, y }) => ({ x, y, width: textWidth(text) * size, height: size }));
  for (const [at, one] of boxes.entries()) {
    assert(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= 1000 && one.y - one.height / 2 >= 60);
    const hit = boxes.slice(at + 1).find((other) =>
      Math.abs(one.x - other.x) * 2 < one.width + other.width &&
      Math.abs(one.y - other.y) * 2 < one.height + other.height
    );
    assertEquals(hit, undefined);
  }
});
