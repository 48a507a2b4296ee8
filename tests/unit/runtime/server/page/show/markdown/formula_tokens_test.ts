import { assertEquals } from "@std/assert";
import { Lexer } from "marked";

import { FORMULAS } from "../../../../../../../runtime/server/page/show/markdown/formula_tokens.ts";

Deno.test("a formula is looked for in its own paragraph, however long the text is", () => {
  const block = FORMULAS.find(({ level }) => level === "block")!;
  const start = (text: string) => block.start!.call({ lexer: new Lexer() }, text);
  assertEquals(start("a\n$$x$$"), 1);
  assertEquals(start("a\n\n$$x$$"), undefined);
});
