import { assert, assertEquals } from "@std/assert";

import {
  asTableHead,
  type Blocks,
  readBlocks,
} from "../../../../../../../runtime/server/page/show/markdown/blocks.ts";

const TEXT = "# Title\n\nA *text*.\n\n- one\n- two\n\n  more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" +
  "```js\nlet a;\n\nlet b;\n```\n\n$$\nx^2\n$$\n\n> said\n\nHead\n====\n\nEnd $y$.\r\n\r\nLast\n";

Deno.test("a text that grows letter by letter gives the blocks that it gives as a whole", () => {
  for (const text of [TEXT, `${TEXT}\n[a]: https://example.com\n\n[a] again\n\nend\n`]) {
    let grown: Blocks | null = null;
    for (let end = 0; end <= text.length; end++) grown = readBlocks(text.slice(0, end), grown);
    assertEquals(raws(grown!), raws(readBlocks(text, null)));
  }
});

Deno.test("of a text that has grown, blocks that it cannot change stay the same ones", () => {
  const before = readBlocks("one\n\ntwo\n\nthree\n\nfo", null);
  const after = readBlocks("one\n\ntwo\n\nthree\n\nfour", before);
  assert(after.blocks[0] === before.blocks[0]);
  assert(after.blocks.at(-1) !== before.blocks.at(-1));
  assertEquals(raws(readBlocks("another text", before)), ["another text"]);
});

Deno.test("formulas are read in all their forms, and amounts of money are none", () => {
  const formulas = (text: string) => {
    const [block] = readBlocks(text, null).blocks;
    const inner = block && "tokens" in block ? block.tokens ?? [] : [];
    return [block?.type, ...inner.map(({ type }) => type)].filter((type) => type?.endsWith("Formula")).length;
  };
  const forms = ["$x$", "a $x_1$ b", "\\(x\\)", "$$x$$", "\\[\nx\n\\]", "a $$x$$ b"];
  for (const text of forms) assertEquals(formulas(text), 1, text);
  const none = ["$5 and $6", "it costs $5.", "a $ b $ c", "`$x$`", "\\$x$ y"];
  for (const text of none) assertEquals(formulas(text), 0, text);
});

Deno.test("a table of which the head alone is there is a table already", () => {
  const [half] = readBlocks("| a | b |\n|--", null).blocks;
  assertEquals(asTableHead(half!).type, "table");
  const [text] = readBlocks("a | b", null).blocks;
  assertEquals(asTableHead(text!).type, "paragraph");
});

function raws({ blocks }: Blocks): string[] {
  return blocks.map(({ raw }) => raw);
}
