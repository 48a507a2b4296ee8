import { assertEquals } from "@std/assert";

import finalAnswer from "../../../../tools/sgr/final_answer_tool.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("final_answer_tool gives its fields back as JSON and says how it ends a run", async () => {
  using ws = workspace();
  const said = { reasoning: "checked", completed_steps: ["read"], answer: "In 1904.", status: "failed" };
  const { result, text } = await ws.run(finalAnswer, said);
  assertEquals([result, JSON.parse(text)], [said, said]);
  assertEquals(finalAnswer.endsRun, { status: "status", failed: "failed", answer: "answer" });
});
