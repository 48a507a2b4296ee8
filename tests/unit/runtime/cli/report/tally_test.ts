import { assertEquals } from "@std/assert";

import type { BatchAnswer } from "../../../../../runtime/cli/report/batch_call.ts";
import { Tally } from "../../../../../runtime/cli/report/tally.ts";
import { call, CALLS, refused } from "../../../../support/report/batch_answers.ts";

Deno.test("Tally.summary() counts calls by their end, and names the flags that would allow them", () => {
  const sum = (calls: BatchAnswer[]) => {
    const tally = new Tally();
    for (const one of calls) tally.add(one);
    return tally.summary();
  };
  assertEquals(sum([]), "0 calls");
  assertEquals(sum([call(1)]), "1 call: 1 ok");
  const flag = "'--allow-secrets=/a b/.env'";
  assertEquals(sum(CALLS), `6 calls: 2 ok, 1 refused (allow it with ${flag}), 2 failed, 1 stopped`);
  const two = [refused("a", "--allow-net=x"), refused("b", "--allow-net=x"), refused("c", "--deny-run")];
  assertEquals(sum(two), "3 calls: 3 refused (allow 2 of them with --allow-net=x)");
  const several = [refused("a", "--allow-read=/a", "--allow-write=/a"), refused("b", "--allow-read=/b c")];
  const all = "'--allow-read=/a,/b c' --allow-write=/a";
  assertEquals(sum(several), `2 calls: 2 refused (allow them with ${all})`);
  assertEquals(sum([call("p", "denied_by_policy")]), "1 call: 1 refused");
});
