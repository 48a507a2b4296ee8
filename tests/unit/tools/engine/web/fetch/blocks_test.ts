import { assertEquals } from "@std/assert";

import { countWords, dropShortBlocks } from "../../../../../../tools/engine/web/fetch/blocks.ts";

Deno.test("countWords() counts words, and each sign where there are no blanks", () => {
  assertEquals(countWords("It's a well-known tea, isn't it? 3.5"), 8);
  assertEquals(countWords("茶壶 tea"), 3);
  assertEquals(countWords(""), 0);
});

Deno.test("dropShortBlocks() leaves out short paragraphs alone", () => {
  const long = "one two three four five six seven eight nine ten";
  const kept = ["# Head", "- item", "| a | b |\n|---|---|", "```ts\nx\n\ny\n```", "> said", "    code", long];
  const text = ["Share this", ...kept, "Next page"].join("\n\n");
  assertEquals(dropShortBlocks(text, 10), kept.join("\n\n"));
  assertEquals(dropShortBlocks(text, 1), text);
});
