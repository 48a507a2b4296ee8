import { assertEquals } from "@std/assert";

import { quoteWord } from "../../../../runtime/text/shell_quote.ts";

Deno.test("quoteWord() writes what a shell reads back", () => {
  const words = ["plain-1.a/b:c=,", "two words", "it's", "$HOME `x`", "", "a\nb\x1b[1m", "\\", "é", "'\n'"];
  for (const word of words) {
    const { stdout } = new Deno.Command("bash", { args: ["-c", `printf %s ${quoteWord(word)}`] })
      .outputSync();
    assertEquals(new TextDecoder().decode(stdout), word, quoteWord(word));
  }
});
