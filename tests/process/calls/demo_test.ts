import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

Deno.test("demo shows a run, a batch, a refusal and a shell, and leaves nothing", async () => {
  using scene = makeScene({ "tmp/.keep": "" });
  const env = { TMPDIR: scene.at("tmp"), OPENAI_API_KEY: undefined };
  const { code, stdout, stderr } = await scene.run(["demo"], { env, timeoutMs: 240_000 });
  assertEquals([code, stderr], [0, ""], stdout);
  for (
    const shown of [
      "$ bulkhead run --model replay:agent.jsonl",
      "plan: 7 calls in 4 blocks",
      "7 calls: 6 ok, 1 refused",
    ]
  ) {
    assertStringIncludes(stdout, shown);
  }
  assertStringIncludes(stdout, "PAYMENT_KEY=");
  assertEquals([...Deno.readDirSync(scene.at("tmp"))].map(({ name }) => name), [".keep"]);
  assertEquals([...Deno.readDirSync(scene.ws)].length, 0);
});
