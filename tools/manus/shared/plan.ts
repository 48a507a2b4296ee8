import type { Plan, PlanBook, StepStatus } from "../../../schemas/step/plan.ts";

/** How each status of a step is drawn. */
const STEP_SYMBOLS: Readonly<Record<StepStatus, string>> = {
  not_started: "[ ]",
  in_progress: "[→]",
  completed: "[✓]",
  blocked: "[!]",
};

/** Draws a plan as the document shows it; it ends with a line end. */
export function renderPlan({ id, title, steps }: Plan): string {
  const heading = `Plan: ${title} (ID: ${id})\n`;
  const count = (status: StepStatus) => steps.filter((step) => step.status === status).length;
  const done = count("completed");
  const lines = steps.map(({ text, status, notes }, index) =>
    `${index}. ${STEP_SYMBOLS[status]} ${text}\n${notes === "" ? "" : `   Notes: ${notes}\n`}`
  );
  return heading +
    `${"=".repeat([...heading].length)}\n\n` +
    `Progress: ${done}/${steps.length} steps completed (${percent(done, steps.length)}%)\n` +
    `Status: ${done} completed, ${count("in_progress")} in progress, ${count("blocked")} blocked, ` +
    `${count("not_started")} not started\n\nSteps:\n${lines.join("")}`;
}

/** Draws a line for each plan; it ends with a line end. */
export function renderPlans({ active, plans }: PlanBook): string {
  const lines = plans.map(({ id, title, steps }) => {
    const done = steps.filter(({ status }) => status === "completed").length;
    return `• ${id}${id === active ? " (active)" : ""}: ${title} - ${done}/${steps.length} steps completed\n`;
  });
  return `Available plans:\n${lines.join("")}`;
}

function percent(done: number, all: number): string {
  if (all === 0) return "0";
  const share = done / all * 100;
  // Rounds a half to the even digit; only .25 needs this, because .75 goes up in any case.
  return share % 1 === 0.25 ? `${Math.floor(share)}.2` : share.toFixed(1);
}
