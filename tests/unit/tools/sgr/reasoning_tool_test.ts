import { assertEquals } from "@std/assert";

import reasoning from "../../../../tools/sgr/reasoning_tool.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("reasoning_tool gives its fields back as JSON, in the order of its document", async () => {
  using ws = workspace();
  const said = {
    task_completed: false,
    reasoning_steps: ["look", "search"],
    current_situation: "nothing is known",
    plan_status: "no plan",
    remaining_steps: [],
  };
  const { result, text } = await ws.run(reasoning, said);
  assertEquals(result, { ...said, enough_data: false });
  assertEquals(Object.keys(JSON.parse(text)), [
    "reasoning_steps",
    "current_situation",
    "plan_status",
    "enough_data",
    "remaining_steps",
    "task_completed",
  ]);
  assertEquals(text.split("\n")[1], '  "reasoning_steps": [');
});
