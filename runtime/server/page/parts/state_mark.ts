import { html } from "../base/html.ts";
import type { RunRow } from "../net/shapes.ts";

/** The state of a run, as a word with a coloured dot. */
export function StateMark({ state }: { state: RunRow["state"] }) {
  return html`<span class=${`state state-${state}`}>${state}</span>`;
}
