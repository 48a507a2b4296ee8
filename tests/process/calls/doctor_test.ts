import { assertEquals, assertStringIncludes } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { makeScene } from "../../support/cli/scene.ts";

Deno.test("doctor finds this machine fit, with a box and without", async () => {
  using scene = makeScene();
  for (const flags of [[], ["--sandbox=off"], ["--policy=read-only-no-net"]]) {
    const { code, stdout, stderr } = await scene.run(["doctor", "--json", ...flags]);
    const { healthy, findings } = JSON.parse(stdout);
    assertEquals([code, stderr, healthy], [0, "", boxWorks], stdout);
    const states = Object.fromEntries(
      findings.map(({ check, state }: Record<string, string>) => [check, state]),
    );
    const seen = [states.rooms, states.main, states.workspace, states.network];
    assertEquals(seen, ["ok", "ok", "ok", "ok"], stdout);
  }
  const none = { env: { PATH: scene.at("none") } };
  const { healthy, missing } = JSON.parse((await scene.run(["doctor", "--json"], none)).stdout);
  assertEquals([healthy, missing[0]], [false, "programs in a sandbox"]);
  const without = await scene.run(["doctor"], none);
  assertEquals(without.code, 0);
  assertStringIncludes(without.stdout, "bubblewrap (bwrap) is not installed");
  assertStringIncludes(without.stdout, "apt-get install bubblewrap");
  assertStringIncludes(without.stdout, "programs are refused; --allow-run=bash lets every command run");
  assertStringIncludes(without.stdout, "\nNot possible here: programs in a sandbox; ");
});

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
