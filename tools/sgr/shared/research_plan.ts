import type { SessionState } from "../../../schemas/context.ts";
import type { Plan, PlanStep } from "../../../schemas/step/plan.ts";
import { readPlanBook } from "../../engine/plan/plan_book.ts";

/** Where the session keeps the plan. */
export const PLANS = "plans";

/** A session has one plan of research. */
const ID = "research";

/**
 * Makes the session's plan, or changes it: the steps that are done stay, and a step that was there already keeps how far
 * it is.
 *
 * @param plan `anew`: nothing of an earlier plan stays
 */
export async function setPlan(
  session: SessionState,
  { goal, steps, anew }: { goal: string; steps: readonly string[]; anew: boolean },
): Promise<void> {
  await session.alone(PLANS, async () => {
    const { plans } = readPlanBook(await session.get(PLANS));
    const before = anew ? [] : plans.find(({ id }) => id === ID)?.steps ?? [];
    const done = before.filter(({ status, text }) => status === "completed" && !steps.includes(text));
    const next = steps.map((text): PlanStep =>
      before.find((step) => step.text === text) ?? { text, status: "not_started", notes: "" }
    );
    const plan: Plan = { id: ID, title: goal, steps: [...done, ...next] };
    await session.set(PLANS, { active: ID, plans: [...plans.filter(({ id }) => id !== ID), plan] });
  });
}
