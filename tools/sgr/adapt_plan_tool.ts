import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import { PLANS, setPlan } from "./shared/research_plan.ts";
import { errorText, fieldsText } from "./shared/words.ts";

const plan = z.object({
  original_goal: z.string().describe("The goal so far."),
  new_goal: z.string().describe("The goal from now on."),
  plan_changes: z.array(z.string()).min(1).max(3).describe("What changes in the plan: 1 to 3 changes."),
  next_steps: z.array(z.string()).min(2).max(4).describe("What remains to be done, in order: 2 to 4 steps."),
});

export default defineTool({
  name: "adapt_plan_tool",
  description:
    "Changes the plan of the research after something was found that it did not expect: a new goal, what changes, and the " +
    "steps that remain. Steps that are done stay in the plan.",
  input: z.object({ reasoning: z.string().describe("What was found that changes the plan.") }).extend(
    plan.shape,
  ),
  output: plan,
  needs: {},
  readOnly: false,
  idempotent: true,
  parallel: false,
  stepPart: "plan",
  keepsPlans: PLANS,
  cutsLong: true,
  examples: [
    {
      line:
        "reasoning='no tests were found' original_goal='compare tea kettles' new_goal='compare their data' " +
        'plan_changes=\'["data instead of tests"]\' next_steps=\'["read data","compare"]\' --session kettles',
      meaning: "Change the plan of a session",
    },
  ],
  limits: { timeoutMs: 10_000 },
  async run({ original_goal, new_goal, plan_changes, next_steps }, { session }) {
    await setPlan(session, { goal: new_goal, steps: next_steps, anew: false });
    return { original_goal, new_goal, plan_changes, next_steps };
  },
  summary: ({ next_steps }) => countOf(next_steps.length, "step", "steps"),
  text: fieldsText,
  errorText,
});
