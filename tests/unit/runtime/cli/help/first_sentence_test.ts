import { assertEquals } from "@std/assert";

import { firstSentence } from "../../../../../runtime/cli/help/first_sentence.ts";

Deno.test("firstSentence() ends where the first sentence ends", () => {
  const cases: readonly (readonly [text: string, first: string])[] = [
    ["", ""],
    ["One", "One"],
    ["One. Two.", "One"],
    ["Really? Yes.", "Really?"],
    ["Reads 1.5 MB of a file.txt, e.g. notes. Then more.", "Reads 1.5 MB of a file.txt, e.g. notes"],
    ["Reads a file (i.e. text). More", "Reads a file (i.e. text)"],
    ["One\ntwo. Three", "One two"],
    ["Does this:\n* a\n* b. c", "Does this:"],
    ["A title\n\nA text. More.", "A title"],
    ["Beep\x07 \x1b[2Jhere. More", "Beep here"],
  ];
  for (const [text, first] of cases) assertEquals(firstSentence(text), first, text);
});
