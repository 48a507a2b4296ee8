import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import type { ToolResult } from "../../../schemas/result.ts";
import { boxTest } from "../../support/box.ts";
import type { Running } from "../../support/program.ts";
import { programTest } from "../../support/needed_programs.ts";
import { type Call, makeScene, type Scene } from "../support/scene.ts";
import { makeSleepers, type Sleepers } from "../support/sleepers.ts";
import { inBatch, PLACES } from "../support/terminal.ts";

const SECONDS = 2;
/** A call that outlasts its time by this much, in milliseconds, has waited for something else. */
const FAR_TOO_LONG = 60_000;
const CONFIG = "--config=../config.json";

function sceneOfLimits(): Scene {
  return makeScene({
    "config.json": JSON.stringify({ tools: { "manus/*": { timeout_seconds: SECONDS } } }),
    "home/.keep": "",
  });
}

/** Programs that are hard to end: each says `part` once all of it runs. SLEEP is a sleeper. */
const STUBBORN: Readonly<Record<string, { script: string; sleepers: number }>> = {
  "one that ignores signals": { script: "trap '' TERM INT HUP; echo part; SLEEP; SLEEP", sleepers: 1 },
  "a whole tree that ignores signals": {
    script: "trap '' TERM INT HUP; (SLEEP & SLEEP & echo part; wait); SLEEP",
    sleepers: 2,
  },
  "grandchildren that hold the pipes": { script: "(SLEEP & SLEEP & wait) & echo part; wait", sleepers: 2 },
  "one in a session of its own": {
    script: "setsid sh -c 'trap \"\" TERM INT HUP; SLEEP; :' & echo part; wait",
    sleepers: 1,
  },
  "one whose parents have ended": {
    script: "(setsid sh -c '(SLEEP &) ; (setsid SLEEP &)' &); echo part; SLEEP",
    sleepers: 3,
  },
  "one that closed its pipes": {
    script: "(setsid SLEEP </dev/null >/dev/null 2>&1 &); echo part; exec SLEEP >/dev/null 2>&1",
    sleepers: 2,
  },
  "one that is stopped": { script: "SLEEP & echo part; kill -STOP $$", sleepers: 1 },
};

/** Without a box a program is known by its environment and its group: one that leaves both is lost. */
const ONLY_IN_BOX: typeof STUBBORN = {
  "one that has left group and environment": { script: "env -i setsid SLEEP & echo part; wait", sleepers: 1 },
};

function stubbornIn(place: string): [string, { script: string; sleepers: number }][] {
  return Object.entries({ ...STUBBORN, ...(place === "in a box" ? ONLY_IN_BOX : {}) });
}

function withWords(script: string, { words }: Sleepers): string {
  return script.replaceAll("SLEEP", words);
}

for (const [place, flags] of Object.entries(PLACES)) {
  for (const [name, { script }] of stubbornIn(place)) {
    Deno.test(`a timeout ends ${name}, ${place}, and the batch goes on`, async () => {
      using sleepers = makeSleepers();
      using scene = sceneOfLimits();
      const command = withWords(script, sleepers);
      const calls: Call[] = [
        { tool: "Bash", arguments: { command, timeout: SECONDS } },
        { tool: "par/bash", arguments: { argv: ["bash", "-c", command], timeout: SECONDS } },
      ];
      await inBatch(scene, flags, async (batch) => {
        for (const call of calls) {
          const { ok, error, text, metadata } = await batch.call(call.tool, call.arguments);
          assertEquals([ok, error?.code], [false, "timeout"], text);
          const { stdout, stderr, exit_code, timeout_seconds } = error!.details;
          assertEquals([stdout, stderr, exit_code, timeout_seconds], ["part\n", "", 124, SECONDS]);
          assert(text.endsWith("\nstdout:\npart\n"), text);
          assert(metadata.duration_ms < FAR_TOO_LONG, `${metadata.duration_ms} ms`);
          await sleepers.gone();
        }
        const { text } = await batch.call("Bash", { command: "echo still here" });
        assertEquals(text, "exit_code: 0\nstdout:\nstill here\n");
      });
    });
  }

  programTest(`a timeout ends what Python left behind, ${place}`, ["python3"], async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const code = [
      "import os, signal, subprocess",
      "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
      "if os.fork() == 0:",
      "    os.setsid()",
      `    if os.fork() == 0: os.execvp('sleep', ${JSON.stringify(sleepers.words.split(" "))})`,
      "    os._exit(0)",
      "print('part', flush=True)",
      `subprocess.run(${JSON.stringify(sleepers.words.split(" "))})`,
    ].join("\n");
    await inBatch(scene, [CONFIG, ...flags], async (batch) => {
      const { error, text } = await batch.call("python_execute", { code });
      assertEquals(error?.code, "timeout", text);
      // A busy machine may not have started Python by then.
      assertMatch(text, new RegExp(`^Execution timeout after ${SECONDS} seconds(\npart\n)?$`));
      await sleepers.gone();
    });
  });

  Deno.test(`a program that ends takes along what it left in the background, ${place}`, async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const script = "SLEEP & (setsid SLEEP &); (trap '' TERM HUP; SLEEP) & echo part";
    const command = withWords(script, sleepers);
    await inBatch(scene, flags, async (batch) => {
      for (const input of [{ command, timeout: 60 }, { command: `${command}; kill -9 $$`, timeout: 60 }]) {
        const { ok, text, metadata } = await batch.call("Bash", input);
        assertEquals([ok, text.split("\n").slice(1).join("\n")], [true, "stdout:\npart\n"], text);
        assert(metadata.duration_ms < FAR_TOO_LONG, `${metadata.duration_ms} ms`);
        await sleepers.gone();
      }
    });
  });

  Deno.test(`the end of a batch ends shells and terminals with all that they started, ${place}`, async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    await inBatch(scene, [CONFIG, ...flags], async (batch) => {
      await openSessions(batch, sleepers);
      await sleepers.run(6);
    });
    await sleepers.gone();
  });

  Deno.test(`--timeout bounds every call, also those that ask for more, ${place}`, async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const command = `trap '' TERM; echo part; ${sleepers.words}`;
    const { code, answers } = await scene.batch([
      { tool: "Bash", arguments: { command, timeout: 50 } },
      { tool: "par/bash", arguments: { argv: ["bash", "-c", command] } },
      { tool: "Bash", arguments: { command: "echo still here", timeout: 1 } },
    ], [`--timeout=${SECONDS}`, ...flags]);
    for (const { error, text, metadata } of answers.slice(0, 2)) {
      assertEquals(error?.code, "timeout", text);
      assertStringIncludes(text, "\nstdout:\npart\n");
      assert(metadata.duration_ms < FAR_TOO_LONG, `${metadata.duration_ms} ms`);
    }
    assertMatch(answers[0]!.warnings.join("\n"), /timeout 50 was lowered to [\d.]+ seconds/);
    assertEquals([code, answers[2]!.text], [124, "exit_code: 0\nstdout:\nstill here\n"]);
    await sleepers.gone();
  });
}

/** Starts sleepers in the shell of manus/bash and in a terminal: some ignore signals, some have left the session. */
async function openSessions(
  batch: { call(tool: string, input?: unknown): Promise<ToolResult> },
  sleepers: Sleepers,
): Promise<void> {
  const command = withWords("trap '' TERM HUP; SLEEP & (setsid SLEEP &); SLEEP", sleepers);
  const shell = await batch.call("manus/bash", { command });
  assertStringIncludes(shell.text, "exit code: -1\nThe command is still running.");
  assertEquals((await batch.call("TerminalStart")).ok, true);
  const typing = { session_id: "term_1", input: command, yield_time_ms: 0 };
  assertEquals((await batch.call("TerminalWrite", typing)).ok, true);
}

/** Starts a call of Bash whose command stands in no command line but its own, and waits until all of it runs. */
async function startCall(
  scene: Scene,
  flags: readonly string[],
  { script, count, sleepers }: { script: string; count: number; sleepers: Sleepers },
): Promise<Running> {
  const running = scene.start(["call", "Bash", "-", "--json", ...flags]);
  await running.write(JSON.stringify({ command: withWords(script, sleepers), timeout: 500 }));
  await running.closeInput();
  await sleepers.run(count);
  return running;
}

for (const [place, flags] of Object.entries(PLACES)) {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.test(`${signal} ends a call with ${code} and its program whole, ${place}`, async () => {
      for (const [name, { script, sleepers: count }] of stubbornIn(place)) {
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
      await sleepers.run(6);
      running.kill(signal);
      assertEquals((await running.ended()).code, code);
      await sleepers.gone();
    });
  }
}

/** Gives calls to a batch one by one. */
function asCaller(running: Running): { call(tool: string, input?: unknown): Promise<ToolResult> } {
  return {
    async call(tool, input = {}) {
      await running.write(`${JSON.stringify({ tool, arguments: input })}\n`);
      return JSON.parse(await running.nextLine() ?? "");
    },
  };
}

boxTest("nothing in a box outlives bulkhead, even if that is killed", async () => {
  for (const [name, { script, sleepers: count }] of stubbornIn("in a box")) {
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
  await sleepers.run(6);
  running.kill("SIGKILL");
  await running.ended();
  await sleepers.gone();
});

boxTest("a box that is just being made does not outlive bulkhead either", async () => {
  for (let round = 0; round < 12; round++) {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const running = scene.start(["call", "Bash", "-", CONFIG]);
    await running.write(JSON.stringify({ command: `${sleepers.words}; :` }));
    await running.closeInput();
    await sleepers.named();
    running.kill("SIGKILL");
    await running.ended();
    await sleepers.gone();
  }
});

programTest("without a box programs end with bulkhead too", ["setpriv", "setsid"], async () => {
  for (const [script, count] of [["exec SLEEP", 1], ["setsid SLEEP & SLEEP & wait", 2]] as const) {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const running = await startCall(scene, PLACES["without a box"]!, { script, count, sleepers });
    running.kill("SIGKILL");
    await running.ended();
    await sleepers.gone();
  }
});
