import * as z from "zod";

import type { PlanBook, PlanStep } from "../../../schemas/step/plan.ts";
import { defineTool } from "../../../schemas/tool.ts";
import type { Workspace } from "../run_tool.ts";

/** Returns the one plan that a session keeps, as a run reads it, after a change of its steps. */
export async function keptPlan(
  ws: Workspace,
  change: (steps: PlanStep[]) => void = () => {},
): Promise<{ title: string; steps: PlanStep[] }> {
  const look = defineTool({
    name: "look",
    description: "",
    input: z.object({}),
    output: z.unknown(),
    ...{ needs: {}, readOnly: true, parallel: false, limits: { timeoutMs: 1000 } },
    async run(_, { session }) {
      const book = await session.get("plans") as PlanBook;
      const [plan] = book.plans.filter(({ id }) => id === book.active);
      if (book.plans.length !== 1 || plan === undefined) throw new Error("not one plan");
      change(plan.steps);
      await session.set("plans", book);
      return { title: plan.title, steps: plan.steps };
    },
  });
  return (await ws.run(look, {})).result;
}
