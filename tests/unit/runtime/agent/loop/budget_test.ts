import { assert, assertEquals } from "@std/assert";

import { Budget } from "../../../../../runtime/agent/loop/budget.ts";
import { AGENT_LIMITS, type AgentLimits } from "../../../../../schemas/agent/agent.ts";
import { ask, calls, run } from "../../../../support/agent_scene.ts";

const budget = (limits: Partial<AgentLimits>, prices: ConstructorParameters<typeof Budget>[1] = null) =>
  new Budget({ ...AGENT_LIMITS, ...limits }, prices);

const USAGE = { input_tokens: 100, cached_tokens: 40, output_tokens: 10 };
const COUNTED = { estimated: false };

Deno.test("Budget counts the tokens of all requests", () => {
  const used = budget({ tokens: 220 });
  used.addReply("compact", USAGE, COUNTED);
  assertEquals(used.excess("turn"), null);
  used.addReply("turn", USAGE, { estimated: true });
  for (const purpose of ["turn", "repair", "compact"] as const) {
    assertEquals(used.excess(purpose)?.termination, "max_tokens");
  }
  assertEquals(used.usage.estimated, true);
});

Deno.test("Budget reckons the cost by the prices, cached input by its own", () => {
  const used = budget({ cost: 0.001 }, { input: 10, cached_input: 1, output: 100 });
  used.addReply("turn", USAGE, COUNTED);
  assertEquals(used.usage.cost, (60 * 10 + 40 * 1 + 10 * 100) / 1_000_000);
  assertEquals(used.excess("turn")?.termination, "max_cost");
  const free = budget({ cost: 0.001 });
  free.addReply("turn", USAGE, COUNTED);
  assertEquals([free.usage.cost, free.excess("turn")?.termination], [null, "max_cost"]);
});

Deno.test("Budget takes the provider's word for a cost before the prices", () => {
  const used = budget({ cost: 0.5 }, { input: 10, cached_input: 1, output: 100 });
  used.addReply("turn", { ...USAGE, cost: 0.2 }, COUNTED);
  assertEquals([used.usage.cost, used.excess("turn")], [0.2, null]);
  const free = budget({ cost: 0.5 });
  free.addReply("turn", { ...USAGE, cost: 0.25 }, COUNTED);
  assertEquals(free.excess("turn"), null);
  free.addReply("turn", { ...USAGE, cost: 0.25 }, COUNTED);
  assertEquals([free.usage.cost, free.excess("turn")?.message], [0.5, "The limit of 0.5 dollars is reached"]);
});

Deno.test("Budget.addCalls() counts the same call in a row of turns", () => {
  const call = (tool: string, input: unknown = {}) => ({ tool, arguments: input });
  const [a, b] = [call("A"), call("B")];
  const cases: [ReturnType<typeof call>[][], number[]][] = [
    [[[a], [a], [a]], [1, 2, 3]],
    [[[a], [b], [a]], [1, 1, 1]],
    [[[a, a, a], [a, a]], [1, 2]],
    [[[b, a], [a], [a, b], [a]], [1, 2, 3, 1]],
    [[[a, b], [a, b]], [1, 1]],
    [[[a], [], [a]], [1, 0, 2]],
    [[[call("A", { x: 1, y: [2] })], [call("A", { y: [2], x: 1 })]], [1, 2]],
    [[[call("A", { x: 1 })], [call("A", { x: "1" })]], [1, 1]],
    [[[call("A", { y: [1, 2] })], [call("A", { y: [2, 1] })]], [1, 1]],
  ];
  for (const [turns, expected] of cases) {
    const used = budget({});
    assertEquals(turns.map((calls) => used.addCalls(calls)), expected);
  }
});

const PRICES = { input: 1_000_000, cached_input: 1_000_000, output: 1_000_000 };

Deno.test("askToGoOn() counts at least half of what was sent, whatever the server says", async () => {
  const texts = "one of many words ".repeat(200);
  for (const tokens of [0, 0.1, 1]) {
    const usage = { input_tokens: tokens, cached_tokens: 0, output_tokens: tokens, cost: 0 };
    const turns = Array.from({ length: 50 }, (_, n) => ({ ...calls(ask("Read", { n, texts })), usage }));
    const { outcome } = await run(turns, { limits: { tokens: 5_000 } });
    assertEquals(outcome.termination_reason, "max_tokens");
    assert(outcome.usage.rounds < 10 && outcome.usage.estimated, JSON.stringify(outcome.usage));
    const { parts } = await run([], {});
    const profile = { ...parts.profile, prices: PRICES };
    const paid = await run(turns, { limits: { cost: 5_000 }, parts: { profile } });
    assertEquals(paid.outcome.termination_reason, "max_cost");
    assert(paid.outcome.usage.rounds < 10);
  }
});

Deno.test("askToGoOn() believes a cost as little as the count that it comes with", async () => {
  const { parts } = await run([], {});
  const text = "one of many words ".repeat(200);
  for (const [cost, prices] of [[0.000_001, PRICES], [0, null]] as const) {
    const usage = { input_tokens: 1, cached_tokens: 0, output_tokens: 1, cost };
    const turns = Array.from({ length: 9 }, (_, n) => ({ ...calls(ask("Read", { n, text })), usage }));
    const profile = { ...parts.profile, prices };
    const { outcome } = await run(turns, { limits: { cost: 5_000 }, parts: { profile } });
    assertEquals(outcome.termination_reason, "max_cost");
  }
});

Deno.test("askToGoOn() believes a server that counts as tokenizers do", async () => {
  const usage = { input_tokens: 400, cached_tokens: 10, output_tokens: 60, cost: 0.5 };
  const { outcome } = await run([{ content: "All done", usage }]);
  const { input_tokens, output_tokens, cost, estimated } = outcome.usage;
  assertEquals([input_tokens, output_tokens, cost, estimated], [400, 60, 0.5, false]);
});
