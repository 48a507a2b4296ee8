import { assert, assertEquals, assertRejects } from "@std/assert";

import { CallTime } from "../../../../../../runtime/sources/mcp/client/call_time.ts";
import { PendingAsks } from "../../../../../../runtime/sources/mcp/client/pending_asks.ts";
import { ToolError } from "../../../../../../schemas/error.ts";

const { signal } = new AbortController();

Deno.test("the time of a request goes on after a question, however often a server asks", async () => {
  const cancelled: number[] = [];
  const asks = new PendingAsks((id) => void cancelled.push(id));
  let questions = 0;
  const again = setInterval(() => {
    asks.hold(1);
    asks.hold(-1);
    if (++questions === 200) clearInterval(again);
  }, 10);
  const { code } = await assertRejects(
    () => asks.add({ signal, time: new CallTime(100) }, () => {}),
    ToolError,
  );
  clearInterval(again);
  assertEquals([code, cancelled], ["timeout", [1]]);
  assert(questions < 200);
});

Deno.test("the time of a person is not that of a server", async () => {
  const asks = new PendingAsks(() => {});
  const told: string[] = [];
  asks.hold(1);
  const options = { signal, time: new CallTime(20), onQuestion: (state: string) => void told.push(state) };
  const answer = asks.add(options, (id) => setTimeout(() => asks.get(id)!.resolve("late"), 60));
  assertEquals([await answer, told], ["late", ["asked", "answered"]]);
});

Deno.test("requests that follow each other share the time of their call", async () => {
  const asks = new PendingAsks(() => {});
  const time = new CallTime(60);
  await assertRejects(() => asks.add({ signal, time }, () => {}), ToolError, "within 0.06 seconds");
  let late: ReturnType<typeof setTimeout> | undefined;
  const next = asks.add({ signal, time }, (id) => {
    late = setTimeout(() => asks.get(id)?.resolve("late"), 40);
  });
  await assertRejects(() => next, ToolError, "within 0.06 seconds");
  assert(late !== undefined);
  clearTimeout(late);
});
