import { NO_USAGE } from "../../../schemas/agent/agent.ts";
import { failedTask, type TaskAnswer } from "../../../runtime/queue/tasks/answer_task.ts";
import { ToolError } from "../../../schemas/error.ts";

/** Returns the answer to a task that went well. */
export function answered(id: string | number, answer: string, changes: Partial<TaskAnswer> = {}): TaskAnswer {
  return {
    ...{ v: 1, id, ok: true, answer, termination_reason: "completed", exit_code: 0, error: null },
    ...{ usage: { ...NO_USAGE, rounds: 1, cost: 0.0123 }, changed: [], refused: [], resume: null },
    ...{ session_id: `s-${id}`, workspace: "/work", model: "m", duration_ms: 1_500 },
    ...changes,
  };
}

/** The line of it is no task. */
export const BAD = failedTask({ id: 3 }, new ToolError("invalid_input", "Cannot read line 3: x").toInfo());

/** It was completed without a call that was refused, and that counts. */
export const REFUSED = answered("r", "Done.", {
  ...{ ok: false, exit_code: 3, resume: "bulkhead run --resume s-r '…'" },
  refused: [{ tool: "own/Look", flags: ["--allow-read=/x"], message: "no" }],
});

/** The model said that it failed. */
export const GAVE_UP = answered("g", "I could not find it.\nSorry.", {
  ...{ ok: false, exit_code: 1, termination_reason: "task_failed" },
});
