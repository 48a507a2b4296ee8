import { assertEquals } from "@std/assert";

import { narrowMore } from "../../../../../runtime/queue/work/narrow_more.ts";

Deno.test("narrowMore() takes away what either takes away", () => {
  assertEquals(narrowMore(undefined, { deny_net: true }), { deny_net: true });
  assertEquals(
    narrowMore(
      { policy: "read-only", tools: ["Read", "Grep"], deny_read: ["a"], deny_run: ["rm"] },
      { policy: "read-only-no-net", tools: ["Grep", "Bash"], deny_read: ["b"], deny_run: true },
    ),
    { policy: "read-only-no-net", tools: ["Grep"], deny_read: ["a", "b"], deny_run: true },
  );
});
