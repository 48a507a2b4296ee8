import { assertEquals, assertMatch } from "@std/assert";

import getTime from "../../../../tools/par/get_time.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("get_time gives the present in UTC with seconds", async () => {
  using ws = workspace();
  const before = Math.floor(Date.now() / 1_000) * 1_000;
  const { text } = await ws.run(getTime, { extra: true });
  assertMatch(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const [time, after] = [Date.parse(text), Date.now()];
  assertEquals([time >= before, time <= after], [true, true]);
});
