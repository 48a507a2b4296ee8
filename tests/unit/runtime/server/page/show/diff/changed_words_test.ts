import { assertEquals } from "@std/assert";

import { changedWords } from "../../../../../../../runtime/server/page/show/diff/changed_words.ts";
import { readDiff } from "../../../../../../../runtime/server/page/show/diff/read_diff.ts";

Deno.test("changedWords marks what differs within lines that stand for each other, and not in unlike ones", () => {
  const [file] = readDiff("@@ -1,3 +1,3 @@\n-const a = 1;\n+const a = 22;\n same\n-wholly\n+OTHER\n");
  const words = changedWords(file!.lines);
  const texts = file!.lines.map((line) => line.text.slice(...words.get(line) ?? [0, 0]));
  assertEquals(texts, ["", "1", "22", "", "", ""]);
});
