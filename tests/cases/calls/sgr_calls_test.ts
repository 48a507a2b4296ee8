import { assertEquals } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

/** Calls of the tools by which an agent thinks, whose result is what they were told, but for the reasoning of some. */
const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>, leaves: readonly string[]])[] =
  [
    ["reasoning_tool", {
      reasoning_steps: ["look", "read"],
      current_situation: "begun",
      plan_status: "none",
      enough_data: false,
      remaining_steps: ["read"],
      task_completed: false,
    }, []],
    ["generate_plan_tool", {
      reasoning: "it is new",
      research_goal: "know it",
      planned_steps: ["find", "read", "tell"],
      search_strategies: ["by name", "by year"],
    }, ["reasoning"]],
    ["adapt_plan_tool", {
      reasoning: "it is another one",
      original_goal: "know it",
      new_goal: "know both",
      plan_changes: ["read both"],
      next_steps: ["read", "compare"],
    }, ["reasoning"]],
    ["final_answer_tool", {
      reasoning: "it is read",
      completed_steps: ["read"],
      answer: "42",
      status: "completed",
    }, []],
  ];

for (const [tool, input, leaves] of CALLS) {
  Deno.test(`call ${tool} prints the documented JSON of its fields`, async () => {
    using scene = makeScene();
    const expected = Object.fromEntries(Object.entries(input).filter(([name]) => !leaves.includes(name)));
    const { code, stdout, stderr } = await scene.run(["call", tool, JSON.stringify(input)]);
    assertEquals([code, stderr, stdout], [0, "", `${JSON.stringify(expected, null, 2)}\n`]);
  });
}

Deno.test("call clarification_tool prints its questions, and answer_tool what was found", async () => {
  using scene = makeScene();
  const asked = await scene.run([
    "call",
    "clarification_tool",
    JSON.stringify({
      reasoning: "two are meant",
      unclear_terms: ["it"],
      assumptions: ["the first", "the second"],
      questions: ["Which one?", "Of which year?"],
    }),
  ]);
  assertEquals([asked.code, asked.stdout], [0, "Which one?\nOf which year?\n"], asked.stderr);
  const answer = {
    reasoning: "found",
    intermediate_result: "It was the second one.",
    continue_research: false,
  };
  const told = await scene.run(["call", "answer_tool", JSON.stringify(answer)]);
  assertEquals(told.code, 0, told.stderr);
  assertEquals(told.stdout.includes("It was the second one."), true, told.stdout);
});
