import { assertEquals } from "@std/assert";

import { Steps } from "../../../../runtime/agent/thinking/steps.ts";
import type { Plan, StepStatus } from "../../../../schemas/step/plan.ts";

const planOf = (id: string, title: string, steps: Readonly<Record<string, StepStatus>>): Plan => ({
  ...{ id, title },
  steps: Object.entries(steps).map(([text, status]) => ({ text, status, notes: "" })),
});

Deno.test("Steps keeps what is done of its plan when a tool changes what is left", () => {
  const steps = new Steps([], { iterations: null, clarifications: null, searches: null });
  const note = (plan: Plan) => steps.note({ t: "plan", plan });
  const own = { read: "completed", ask: "blocked", find: "in_progress", tell: "not_started" } as const;
  note(planOf("plan", "Read it", own));
  assertEquals(steps.plan, planOf("plan", "Read it", own));
  note(planOf("research", "Find it", { find: "not_started", ask: "not_started", compare: "not_started" }));
  const changed = { read: "completed", find: "in_progress", ask: "blocked", compare: "not_started" } as const;
  assertEquals(steps.plan, planOf("plan", "Find it", changed));
  // What the way of thinking itself says takes its place.
  note(planOf("plan", "Find it", { ...changed, find: "completed" }));
  assertEquals(steps.plan?.steps.map(({ status }) => status), [
    "completed",
    "completed",
    "blocked",
    "not_started",
  ]);
});
