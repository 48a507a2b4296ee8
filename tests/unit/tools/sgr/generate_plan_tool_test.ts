import { assertEquals } from "@std/assert";

import adaptPlan from "../../../../tools/sgr/adapt_plan_tool.ts";
import generatePlan from "../../../../tools/sgr/generate_plan_tool.ts";
import { keptPlan } from "../../../support/web/kept_plan.ts";
import { workspace } from "../../../support/run_tool.ts";

const PLAN = {
  research_goal: "compare kettles",
  planned_steps: ["find makers", "read tests", "compare"],
  search_strategies: ["by maker", "by test"],
};

Deno.test("generate_plan_tool gives the plan without its reasoning, and the session keeps it", async () => {
  using ws = workspace();
  const { result, text } = await ws.run(generatePlan, { reasoning: "because", ...PLAN });
  assertEquals([result, JSON.parse(text)], [PLAN, PLAN]);
  assertEquals(await keptPlan(ws), {
    title: "compare kettles",
    steps: PLAN.planned_steps.map((text) => ({ text, status: "not_started", notes: "" })),
  });
});

Deno.test("adapt_plan_tool keeps the steps that are done, and how far the others are", async () => {
  using ws = workspace();
  const change = {
    original_goal: "compare kettles",
    new_goal: "compare their data",
    plan_changes: ["no tests"],
    next_steps: ["read data", "compare"],
  };
  // Without a plan before it, it makes one.
  const { result, text } = await ws.run(adaptPlan, { reasoning: "none found", ...change });
  assertEquals([result, JSON.parse(text)], [change, change]);
  assertEquals((await keptPlan(ws)).steps.map(({ text }) => text), ["read data", "compare"]);

  await ws.run(generatePlan, { reasoning: "", ...PLAN });
  await keptPlan(ws, (steps) => {
    steps[0]!.status = "completed";
    steps[2]!.status = "in_progress";
  });
  await ws.run(adaptPlan, { reasoning: "none found", ...change });
  const plan = await keptPlan(ws);
  assertEquals(plan.title, "compare their data");
  assertEquals(plan.steps.map(({ text, status }) => [text, status]), [
    ["find makers", "completed"],
    ["read data", "not_started"],
    ["compare", "in_progress"],
  ]);
  await ws.run(generatePlan, { reasoning: "", ...PLAN });
  assertEquals((await keptPlan(ws)).steps.map(({ status }) => status), Array(3).fill("not_started"));
});
