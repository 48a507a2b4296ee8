import { AGENT_TERMINATIONS } from "../../../schemas/agent/agent.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import type { TaskAnswer } from "../../queue/tasks/answer_task.ts";
import type { Task } from "../../queue/tasks/read_tasks.ts";
import { mergeFlags } from "../../walls/grants/flag_word.ts";
import { endingLines } from "../show/run_lines.ts";
import type { BatchAnswer } from "./batch_call.ts";

/** Returns a task that has ended in the form in which calls are counted and reported. */
export function taskCall({ line }: Pick<Task, "line">, answer: TaskAnswer): BatchAnswer {
  const { id, ok, duration_ms, resume } = answer;
  const text = answer.answer ?? "";
  return {
    kind: "task",
    ...{ id, line, toolName: "", input: undefined, met: ok },
    result: {
      ...{ tool_name: "", ok, result: null, text, images: [], artifacts: [] },
      warnings: ok || resume === null ? [] : [`go on with ${resume}`],
      error: ok ? null : errorOf(answer),
      metadata: { duration_ms, place: "none" },
    },
  };
}

/** What a task that ended without an error failed of. */
function errorOf(answer: TaskAnswer): ErrorInfo {
  const { error, termination_reason: reason, refused } = answer;
  if (error !== null) return error;
  const codes: Readonly<Record<string, ErrorInfo["code"] | null>> = AGENT_TERMINATIONS;
  const code = codes[reason ?? ""] ?? null;
  const [said] = answer.answer?.trim().split("\n", 1) ?? [];
  if (code !== null) return new ToolError(code, said || reason!).toInfo();
  const flags = mergeFlags(refused.flatMap((call) => call.flags));
  const [line = "a call was refused"] = endingLines({ refused });
  return new ToolError("permission_denied", line, { details: { flags } }).toInfo();
}
