import { assert, assertEquals } from "@std/assert";

import { ask, calls, run } from "../../../../support/agent_scene.ts";

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
