import { assertEquals } from "@std/assert";

// @ts-types="@xterm/headless"
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";

import { eraseEnd, lastLength } from "../../../../../runtime/cli/io/erase_end.ts";

const WORDS = "a long answer 你好 to a question that folds";

Deno.test("eraseEnd() takes the end of a line off, however the terminal has folded it", async () => {
  for (let columns = 6; columns < 50; columns++) {
    const terminal = new Terminal({ cols: columns, rows: 20, allowProposedApi: true });
    const show = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
    await show("Question?\r\n> ");
    let line = "";
    const type = async (text: string) => {
      await show(text);
      line += text;
    };
    const erase = async (times: number) => {
      for (let n = 0; n < times; n++) {
        const left = line.slice(0, line.length - lastLength(line));
        await show(await eraseEnd({ prompt: "> ", line, columns }, left));
        line = left;
      }
    };
    await type(WORDS);
    await erase(12);
    await type("你 x");
    await erase(1);
    const { active } = terminal.buffer;
    const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y)!.translateToString(true));
    const letters = (text: string) => text.replace(/\s/g, "");
    const seen = letters(rows.join("")).replace(letters("Question?>"), "");
    assertEquals(seen, letters(`${WORDS.slice(0, -12)}你 `), `${columns}`);
    terminal.dispose();
  }
});

Deno.test("eraseEnd() goes back by columns where the cursor cannot go up", async () => {
  assertEquals(
    await eraseEnd({ prompt: "> ", line: "a".repeat(90), columns: null }, "a".repeat(89)),
    "\b \b",
  );
  assertEquals(await eraseEnd({ prompt: "> ", line: "a你", columns: 80 }, "a"), "\b \b\b \b");
});
