// Whatever a program of a call does, it ends with its call, with its session, and with bulkhead.
import { assert, assertEquals, assertMatch } from "@std/assert";

import type { ToolResult } from "../../../schemas/result.ts";
import { boxTest } from "../../support/box.ts";
import { programTest } from "../../support/needed_programs.ts";
import { descendants, until } from "../../support/cli/processes.ts";
import type { Call } from "../../support/cli/scene.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import {
  asCaller,
  CONFIG,
  openSessions,
  sceneOfLimits,
  SECONDS,
  startCall,
  stubbornIn,
  withWords,
} from "../../support/cli/stubborn.ts";
import { ANYWHERE, inBatch, PLACES } from "../../support/cli/terminal.ts";
import { rounds } from "../../support/tier.ts";

for (const [place, flags] of Object.entries(PLACES)) {
  Deno.test(`a timeout ends whatever is hard to end, and the batch goes on, ${place}`, async () => {
    using scene = sceneOfLimits();
    await inBatch(scene, flags, async (batch) => {
      for (const [at, [name, { script }]] of stubbornIn(place).entries()) {
        using sleepers = makeSleepers();
        const command = withWords(script, sleepers);
        const call: Call = at % 2 === 0
          ? { tool: "Bash", arguments: { command, timeout: SECONDS } }
          : { tool: "par/bash", arguments: { argv: ["bash", "-c", command], timeout: SECONDS } };
        const { ok, error, text } = await batch.call(call.tool, call.arguments);
        assertEquals([ok, error?.code], [false, "timeout"], `${name}: ${text}`);
        const { stdout, stderr, exit_code, timeout_seconds } = error!.details;
        assertEquals([stdout, stderr, exit_code, timeout_seconds], ["part\n", "", 124, SECONDS], name);
        assert(text.endsWith("\nstdout:\npart\n"), text);
        await sleepers.gone();
      }
      const { text } = await batch.call("Bash", { command: "echo still here" });
      assertEquals(text, "exit_code: 0\nstdout:\nstill here\n");
    });
  });

  programTest(`a timeout ends what Python left behind, ${place}`, ["python3"], async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const words = JSON.stringify(sleepers.words.split(" "));
    const code = [
      "import os, signal, subprocess",
      "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
      "if os.fork() == 0:",
      "    os.setsid()",
      `    if os.fork() == 0: os.execvp('env', ${words})`,
      "    os._exit(0)",
      "print('part', flush=True)",
      `subprocess.run(${words})`,
    ].join("\n");
    await inBatch(scene, [CONFIG, ...flags], async (batch) => {
      const { error, text } = await batch.call("python_execute", { code });
      assertEquals(error?.code, "timeout", text);
      // A busy machine may not have started Python by then.
      assertMatch(text, new RegExp(`^Execution timeout after ${SECONDS} seconds(\npart\n)?$`));
      await sleepers.gone();
    });
  });

  Deno.test(`the end of a program and of a batch takes along all that they started, ${place}`, async () => {
    using left = makeSleepers();
    using open = makeSleepers();
    using scene = sceneOfLimits();
    const command = withWords("SLEEP & (setsid SLEEP &); (trap '' TERM HUP; SLEEP) & echo part", left);
    await inBatch(scene, [CONFIG, ...flags], async (batch) => {
      for (const input of [{ command, timeout: 60 }, { command: `${command}; kill -9 $$`, timeout: 60 }]) {
        const { ok, text } = await batch.call("Bash", input);
        assertEquals([ok, text.split("\n").slice(1).join("\n")], [true, "stdout:\npart\n"], text);
        await left.gone();
      }
      await openSessions(batch, open);
    });
    await open.gone();
  });
}

for (const [at, [place, flags]] of Object.entries(PLACES).entries()) {
  const [signal, code] = ([["SIGINT", 130], ["SIGTERM", 143]] as const)[at]!;
  Deno.test(`${signal} ends a call with ${code} and its program whole, ${place}`, async () => {
    const two = stubbornIn(place).filter(([name]) => /a whole tree|whose parents/.test(name));
    for (const [name, { script, sleepers: count }] of two) {
      using sleepers = makeSleepers();
      using scene = sceneOfLimits();
      const running = await startCall(scene, flags, { script, count, sleepers });
      running.kill(signal);
      const { code: ended, stdout } = await running.ended();
      const { error } = JSON.parse(stdout) as ToolResult;
      assertEquals([ended, error?.code], [code, "cancelled"], `${name}: ${stdout}`);
      await sleepers.gone();
    }
  });

  Deno.test(`${signal} ends a batch with ${code}, its shells and terminals, ${place}`, async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const running = scene.start(["batch", "-", CONFIG, ...flags]);
    await openSessions(asCaller(running), sleepers);
    running.kill(signal);
    assertEquals((await running.ended()).code, code);
    await sleepers.gone();
  });
}

boxTest("nothing in a box outlives bulkhead, even if that is killed", async () => {
  const three = stubbornIn("in a box").filter(([name]) => /ignores signals|is stopped|left group/.test(name));
  for (const [name, { script, sleepers: count }] of three) {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const running = await startCall(scene, [], { script, count, sleepers });
    running.kill("SIGKILL");
    assertEquals((await running.ended()).stdout, "", name);
    await sleepers.gone();
  }
});

boxTest("no shell and no terminal in a box outlives bulkhead, even if that is killed", async () => {
  using sleepers = makeSleepers();
  using scene = sceneOfLimits();
  const running = scene.start(["batch", "-", CONFIG]);
  await openSessions(asCaller(running), sleepers);
  running.kill("SIGKILL");
  await running.ended();
  await sleepers.gone();
});

boxTest("a box that is just being made does not outlive bulkhead either", async () => {
  // With each round one process more may be there.
  for (let round = 1; round <= rounds(4, 50); round++) {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const running = scene.start(["call", "Bash", "-", CONFIG]);
    await running.write(JSON.stringify({ command: `${sleepers.words}; :` }));
    await running.closeInput();
    const isThere = () => descendants(running.pid).length >= round || sleepers.count() > 0;
    await until(`${round} processes`, isThere, undefined, 0);
    running.kill("SIGKILL");
    await running.ended();
    await sleepers.gone();
  }
});

programTest("without a box programs and terminals end with bulkhead too", [
  ...["setpriv", "setsid", "script"],
], async () => {
  const flags = PLACES["without a box"]!;
  for (const [script, count] of [["exec SLEEP", 1], ["setsid SLEEP & SLEEP & wait", 2]] as const) {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const running = await startCall(scene, flags, { script, count, sleepers });
    running.kill("SIGKILL");
    await running.ended();
    await sleepers.gone();
  }
  using sleepers = makeSleepers();
  using scene = sceneOfLimits();
  const running = scene.start(["batch", "-", ...flags]);
  const { call } = asCaller(running);
  await call("TerminalStart");
  // Nobody is left to end what does not heed the hangup.
  await call("TerminalWrite", { session_id: "term_1", input: `${sleepers.words}\n`, yield_time_ms: 0 });
  await sleepers.run(1);
  running.kill("SIGKILL");
  await running.ended();
  await sleepers.gone();
});

boxTest("a command that ends all processes that it sees ends itself alone", async () => {
  using scene = sceneOfLimits();
  scene.write("ws/kill-all", "kill -KILL -1; kill -KILL 1 $PPID; kill -KILL $$");
  const { answers } = await scene.batch([
    { tool: "par/bash", arguments: { argv: ["bash", "kill-all"] } },
    { tool: "Bash", arguments: { command: "echo still here" } },
  ], ANYWHERE);
  assertEquals((answers[0]!.result as { exit_code: number }).exit_code, 137);
  assertEquals(answers[1]!.text, "exit_code: 0\nstdout:\nstill here\n");
});
