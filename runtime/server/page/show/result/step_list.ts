import { html } from "../../base/html.ts";
import { visible } from "../text/visible.ts";
import type { NamedStep } from "./shapes.ts";

const STATES = {
  not_started: ["○", "Not started"],
  in_progress: ["◐", "In progress"],
  completed: ["●", "Done"],
  blocked: ["✕", "Blocked"],
} as const;

/** The steps of a plan, and how far each is. */
export function StepList({ steps }: { steps: readonly NamedStep[] }) {
  return html`<ol class="step-list">${
    steps.map(({ text, status }, at) =>
      html`<li key=${at} class=${`step-${status}`}>
      <span aria-hidden="true">${STATES[status][0]}</span>
      <span class="unseen">${STATES[status][1]}:</span> ${visible(text)}</li>`
    )
  }</ol>`;
}
