import { assert, assertEquals } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

Deno.test("plans stay with their session, from run to run, and nowhere else", async () => {
  using scene = makeScene({ "ws/x": "" });
  const plan = { command: "create", plan_id: "p", title: "Ship it", steps: ["build", "test"] };
  assertEquals((await scene.call("planning", plan, ["--session=one"])).code, 0);
  const mark = { command: "mark_step", step_index: 1, step_status: "completed" };
  const marked = await scene.call("planning", mark, ["--session=one"]);
  assert(marked.text.endsWith("\nSteps:\n0. [ ] build\n1. [✓] test\n"), marked.text);
  for (const flags of [["--session=two"], []]) {
    const { code, text, warnings } = await scene.call("planning", { command: "list" }, flags);
    assert(warnings.some((warning) => warning.includes("--session ID")), `${warnings}`);
    assertEquals([code, text], [0, "No plans available. Create a plan with the 'create' command."]);
  }
});

Deno.test("planning words its refusals as its document, also those of its schema", async () => {
  using scene = makeScene({ "ws/x": "" });
  const table: readonly (readonly [unknown, string])[] = [
    [
      { command: "plan" },
      "Unrecognized command: plan. Allowed commands are: create, update, list, get, set_active, mark_step, delete",
    ],
    [
      { command: "mark_step", step_status: "done" },
      "Invalid step_status: done. Valid statuses are: not_started, in_progress, completed, blocked",
    ],
    [
      { command: "create", plan_id: "p", title: "t", steps: [{}] },
      "Parameter `steps` must be a non-empty list of strings for command: create",
    ],
  ];
  for (const [input, message] of table) {
    const { code, error, text } = await scene.call("planning", input);
    assertEquals([code, error?.code, text], [2, "invalid_input", `Error: ${message}`]);
  }
});
