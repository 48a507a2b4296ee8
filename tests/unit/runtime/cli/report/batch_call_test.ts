import { assert, assertEquals } from "@std/assert";

import { failureLine } from "../../../../../runtime/cli/report/batch_call.ts";
import { call, CALLS, refused } from "../../../../support/report/batch_answers.ts";

Deno.test("failureLine() is one line with call, tool, code, reason and flag", () => {
  const line = failureLine(refused("r", "--allow-net=x"));
  assert(line.startsWith("call r (set/Tool) refused: permission_denied: Cannot: "), line);
  assert(line.endsWith(" (allow it with --allow-net=x)"), line);
  // deno-lint-ignore no-control-regex
  assertEquals(/[\0-\x1f\u2028]/.test(failureLine(CALLS[1]!)), false);
});

Deno.test("failureLine() tells what was warned of: it may be the reason", () => {
  const failed = call("n", "conflict");
  failed.result.warnings.push("no network in this sandbox\nat all");
  assert(failureLine(failed).endsWith("; no network in this sandbox\\nat all"), failureLine(failed));
});
