import { assertEquals } from "@std/assert";

import calculator from "../../../../tools/par/calculator.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("calculator gives a number", async () => {
  using ws = workspace();
  const { result, text } = await ws.run(calculator, { expression: "2 + 3 * 4" });
  assertEquals([result, text], [14, "14"]);
  assertEquals((await ws.run(calculator, { expression: "(0-1)/2" })).text, "-0.5");
});

Deno.test("calculator refuses what it cannot compute", async () => {
  using ws = workspace();
  const { error } = await ws.run(calculator, { expression: "1/0" });
  assertEquals(error, {
    code: "invalid_input",
    message: 'Cannot evaluate "1/0": division by zero at position 2',
    retryable: false,
    details: { position: 2 },
  });
});
