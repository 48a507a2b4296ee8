import { assertEquals } from "@std/assert";

import { taskCall } from "../../../../../runtime/cli/report/task_call.ts";
import { renderTaskRow } from "../../../../../runtime/cli/report/task_row.ts";
import type { TaskAnswer } from "../../../../../runtime/queue/tasks/answer_task.ts";
import { answered, BAD } from "../../../../support/report/task_answers.ts";

function row(answer: TaskAnswer, { width = 80, colorful = false } = {}): string {
  return renderTaskRow({ answer, call: taskCall({ line: 3 }, answer) }, { width, colorful });
}

Deno.test(
  "renderTaskRow() tells a person a task in a row, and below why it failed",
  { permissions: "none" },
  () => {
    assertEquals(
      row(answered("a", "\nIt is \x1b[31m4.\nSo.")),
      "ok      a (1.5 s, $0.0123): It is 4. (2 lines)\n",
    );
    assertEquals(row(BAD), "failed  3 (0.0 s)\n        invalid_input: Cannot read line 3: x\n");
    assertEquals(row(answered("a", "x".repeat(99)), { width: 40 }).length, 41);
    const asking = answered("q", "Which one?", { termination_reason: "waiting_for_clarification" });
    assertEquals(row(asking), "asks    q (1.5 s, $0.0123): Which one?\n");
    assertEquals(row(asking, { colorful: true }).slice(0, 18), "\x1b[33masks   \x1b[0m q");
  },
);
