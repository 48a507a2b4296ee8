import { assertEquals } from "@std/assert";

import { failureLine, verdictOf } from "../../../../../runtime/cli/report/batch_call.ts";
import { taskCall } from "../../../../../runtime/cli/report/task_call.ts";
import { answered, BAD, GAVE_UP, REFUSED } from "../../../../support/report/task_answers.ts";

const at = { line: 3 };

Deno.test("taskCall() counts a task like a call, and says why it failed", { permissions: "none" }, () => {
  const all = [answered("a", "Yes."), BAD, REFUSED, GAVE_UP].map((answer) => taskCall(at, answer));
  assertEquals(all.map(verdictOf), ["ok", "failed", "refused", "failed"]);
  assertEquals(all.slice(1).map(failureLine), [
    "task 3 failed: invalid_input: Cannot read line 3: x",
    "task r refused: permission_denied: refused Look; to allow it: --allow-read=/x; go on with bulkhead run --resume s-r '…'",
    "task g failed: unavailable: I could not find it.",
  ]);
});

Deno.test("taskCall() tells a stopped task from a failed one", { permissions: "none" }, () => {
  const error = {
    code: "cancelled",
    message: "The run was cancelled",
    retryable: false,
    details: {},
  } as const;
  const end = { ok: false, exit_code: 130, termination_reason: "interrupted" };
  assertEquals(verdictOf(taskCall(at, answered("s", "", { ...end, error }))), "stopped");
  assertEquals(verdictOf(taskCall(at, answered("s", "", { ...end, error: null }))), "stopped");
});
