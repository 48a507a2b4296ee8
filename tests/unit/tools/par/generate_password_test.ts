import { assertEquals, assertMatch } from "@std/assert";

import generatePassword from "../../../../tools/par/generate_password.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("generate_password has the asked length and every class of characters", async () => {
  using ws = workspace();
  const cases: [Record<string, unknown>, number, RegExp[]][] = [
    [{}, 16, [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*]/, /^[A-Za-z0-9!@#$%^&*]+$/]],
    [{ length: 24, include_symbols: true }, 24, [/[!@#$%^&*]/]],
    [{ length: 4 }, 4, [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*]/]],
    [{ length: 128, include_symbols: false }, 128, [/^[A-Za-z0-9]+$/]],
  ];
  for (const [input, length, patterns] of cases) {
    for (let turn = 0; turn < 20; turn++) {
      const { text, warnings } = await ws.run(generatePassword, input);
      assertEquals([text.length, warnings], [length, []]);
      for (const pattern of patterns) assertMatch(text, pattern);
    }
  }
});

Deno.test("generate_password moves a length outside 4 to 128 and says so", async () => {
  using ws = workspace();
  for (const [length, used] of [[1, 4], [-7, 4], [0, 4], [129, 128], [1_000_000_000, 128]] as const) {
    const { text, warnings } = await ws.run(generatePassword, { length });
    assertEquals([text.length, warnings], [used, [`length ${length} is outside 4 to 128, used ${used}`]]);
  }
});

Deno.test("generate_password draws all characters about equally often", async () => {
  using ws = workspace();
  const counts = new Map<string, number>();
  for (let turn = 0; turn < 400; turn++) {
    const { text } = await ws.run(generatePassword, { length: 128 });
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  // 51200 draws of 70 characters: 731 each, with a standard deviation of 27.
  assertEquals(counts.size, 70);
  for (const [character, count] of counts) {
    assertEquals(count > 500 && count < 970, true, `${character} ${count}`);
  }
});
