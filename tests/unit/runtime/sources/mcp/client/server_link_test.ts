import { assert, assertEquals, assertRejects } from "@std/assert";

import type { Progress } from "../../../../../../schemas/context.ts";
import { ToolError } from "../../../../../../schemas/error.ts";
import { CallTime } from "../../../../../../runtime/sources/mcp/client/call_time.ts";
import { type ClientPlan, ServerLink } from "../../../../../../runtime/sources/mcp/client/server_link.ts";
import type { ListAnswer } from "../../../../../../runtime/sources/mcp/wire/protocol.ts";
import { fixtureWire } from "../../../../../support/mcp/program_wire.ts";

const PLAN: Omit<ClientPlan, "open"> = {
  offers: { sampling: true, elicitation: true },
  answer: ({ kind }) => Promise.reject(new ToolError("denied_by_policy", `no ${kind} here`)),
  onChanged() {},
};
const { signal } = new AbortController();

Deno.test("ServerLink speaks with a server", async () => {
  await using client = await ServerLink.open({ ...PLAN, open: fixtureWire("friendly.ts") }, { signal });
  const { protocol, name, has, instructions } = await client.facts();
  assertEquals([protocol, name, instructions], ["2025-11-25", "friendly", "Be friendly."]);
  assertEquals(has, { tools: true, resources: true, prompts: true });
  const { items } = await client.ask({ method: "tools/list" }, {
    signal,
    time: new CallTime(5_000),
  }) as ListAnswer;
  assertEquals((items as { name: string }[]).slice(0, 2).map(({ name }) => name), ["echo", "sum"]);
  const call = { method: "tools/call", name: "echo", input: { message: "hi", times: 2 } } as const;
  const { content } = await client.ask(call, { signal, time: new CallTime(5_000) }) as { content: unknown };
  assertEquals(content, [{ type: "text", text: "hi hi" }]);

  const told: Progress[] = [];
  const cancel = new AbortController();
  const slow = client.ask({ method: "tools/call", name: "slow", input: {} }, {
    signal: cancel.signal,
    time: new CallTime(60_000),
    onProgress(progress) {
      told.push(progress);
      cancel.abort();
    },
  });
  assertEquals((await assertRejects(() => slow, ToolError)).code, "cancelled");
  assertEquals(told, [{ done: 1, total: 2, message: "half" }]);

  const counted: Progress[] = [];
  const count = { method: "tools/call", name: "count", input: {} } as const;
  await client.ask(count, {
    signal,
    time: new CallTime(60_000),
    onProgress: (progress) => void counted.push(progress),
  });
  assertEquals(counted.at(-1), { done: 5, total: 5 });
  assert(counted.length < 5);

  const late = client.ask({ method: "tools/call", name: "slow", input: {} }, {
    signal,
    time: new CallTime(50),
  });
  assertEquals((await assertRejects(() => late, ToolError)).message, "it did not answer within 0.05 seconds");

  const dead = client.ask({ method: "tools/call", name: "die", input: {} }, {
    signal,
    time: new CallTime(60_000),
  });
  const { code, message } = await assertRejects(() => dead, ToolError);
  assertEquals([code, message], ["unavailable", "it ended with code 7; it said: I die now"]);
  assertEquals(client.end?.code, "unavailable");
});

Deno.test("ServerLink speaks with a server that refuses all but the newest revision", async () => {
  await using client = await ServerLink.open({ ...PLAN, open: fixtureWire("modern.ts") }, { signal });
  assertEquals((await client.facts()).protocol, "2026-07-28");
  const call = { method: "tools/call", name: "echo", input: { message: "hi" } } as const;
  const { content } = await client.ask(call, { signal, time: new CallTime(30_000) }) as { content: unknown };
  assertEquals(content, [{ type: "text", text: "hi" }]);
});
