import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { countOf } from "../engine/summary.ts";
import { PLANS, setPlan } from "./shared/research_plan.ts";
import { errorText, fieldsText } from "./shared/words.ts";

const plan = z.object({
  research_goal: z.string().describe("What is to be found out."),
  planned_steps: z.array(z.string()).min(3).max(4).describe("What is to be done, in order: 3 or 4 steps."),
  search_strategies: z.array(z.string()).min(2).max(3).describe("How to search for it: 2 or 3 ways."),
});

export default defineTool({
  name: "generate_plan_tool",
  description:
    "Makes the plan of the research: its goal, the steps to it, and how to search. Call it first if the request needs more " +
    "than a search or two. A new plan takes the place of the one before.",
  input: z.object({ reasoning: z.string().describe("Why the research goes this way.") }).extend(plan.shape),
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
      line: "reasoning='makers first' research_goal='compare tea kettles' " +
        'planned_steps=\'["find makers","read tests","compare"]\' search_strategies=\'["by maker","by test"]\' ' +
        "--session kettles",
      meaning: "Make the plan of a session",
    },
  ],
  limits: { timeoutMs: 10_000 },
  async run({ research_goal, planned_steps, search_strategies }, { session }) {
    await setPlan(session, { goal: research_goal, steps: planned_steps, anew: true });
    return { research_goal, planned_steps, search_strategies };
  },
  summary: ({ planned_steps }) => countOf(planned_steps.length, "step", "steps"),
  text: fieldsText,
  errorText,
});
