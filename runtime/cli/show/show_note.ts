import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { Plan, StepStatus } from "../../../schemas/step/plan.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { showAdded, showAttached, showTime } from "./show_call.ts";

/** An event that tells something beside calls. */
export type NoteEvent = Extract<
  RunEvent,
  { type: "retry" | "compact" | "warning" | "attached" | "tools.added" | "state" | "plan" }
>;

const MARKS: Readonly<Record<StepStatus, string>> = {
  not_started: " ",
  in_progress: ">",
  completed: "x",
  blocked: "!",
};

/** Returns what a person reads of an event beside calls. */
export function showNote(event: NoteEvent): { style: "dim" | "yellow"; lines: readonly string[] } {
  switch (event.type) {
    case "attached":
      return { style: "dim", lines: [showAttached(event)] };
    case "tools.added":
      return { style: "dim", lines: [showAdded(event)] };
    case "warning":
      return { style: "yellow", lines: [`warning: ${onOneLine(event.message)}`] };
    case "retry": {
      const when = event.wait_ms > 0 ? ` in ${showTime(event.wait_ms)}` : "";
      return {
        style: "yellow",
        lines: [`retry ${event.n} of ${event.max}${when}: ${onOneLine(event.message)}`],
      };
    }
    case "compact":
      return {
        style: "dim",
        lines: [`older turns summed up: ${event.before_tokens} to ${event.after_tokens} tokens`],
      };
    case "plan":
      return { style: "dim", lines: planLines(event.plan) };
    case "state":
      // The questions themselves are asked, or are the answer of the run.
      return { style: "dim", lines: event.state === "researching" ? [] : ["the agent waits for an answer"] };
  }
}

/** Returns a plan as lines, one a step. */
export function planLines({ title, steps }: Plan): string[] {
  return [
    `plan: ${onOneLine(title)}`,
    ...steps.map(({ text, status }) => `  [${MARKS[status]}] ${onOneLine(text)}`),
  ];
}
