import { html } from "../../base/html.ts";
import type { Plan } from "../../../../../schemas/step/plan.ts";

const SIGNS = { not_started: "○", in_progress: "◐", completed: "●", blocked: "✕" } as const;

/** The plan of a run with the state of each step. */
export function PlanPanel({ plan }: { plan: Plan }) {
  const done = plan.steps.filter(({ status }) => status === "completed").length;
  return html`
    <details class="plan" open>
      <summary><b>${plan.title || "Plan"}</b> <span class="hint">${done} of ${plan.steps
        .length} done</span></summary>
      <ol>${plan.steps.map(({ text, status, notes }, at) =>
        html`<li key=${at} class=${`step step-${status}`} aria-current=${
          status === "in_progress" ? "step" : undefined
        }>
        <span class="step-sign" aria-hidden="true">${SIGNS[status]}</span>
        <span>${text} <span class="unseen">(${status.replaceAll("_", " ")})</span>
          ${notes && html`<span class="hint">${notes}</span>`}</span></li>`
      )}</ol>
    </details>
  `;
}
