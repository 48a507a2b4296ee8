import * as z from "zod";

import { type PlanBook, STEP_STATUSES } from "../../../schemas/step/plan.ts";

const plan = z.object({
  id: z.string(),
  title: z.string(),
  steps: z.array(z.object({ text: z.string(), status: z.enum(STEP_STATUSES), notes: z.string() })),
});

/** What the session keeps: the plans in the order in which they were made. */
const planBook: z.ZodType<PlanBook> = z.object({ active: z.string().nullable(), plans: z.array(plan) });

/** Reads what a session kept; a session begins without a plan. */
export function readPlanBook(kept: unknown): PlanBook {
  return kept === undefined || kept === null ? { active: null, plans: [] } : planBook.parse(kept);
}
