import { assertEquals } from "@std/assert";

import answer from "../../../../tools/sgr/answer_tool.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("answer_tool gives what the person is told", async () => {
  using ws = workspace();
  const said = { reasoning: "a first result", intermediate_result: "Three makers so far." };
  assertEquals((await ws.run(answer, said)).text, "Three makers so far.");
});
