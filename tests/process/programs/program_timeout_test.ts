import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { type Call } from "../../support/cli/scene.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import {
  CONFIG,
  openSessions,
  sceneOfLimits,
  SECONDS,
  stubbornIn,
  withWords,
} from "../../support/cli/stubborn.ts";
import { inBatch, PLACES } from "../../support/cli/terminal.ts";

/** Tries the same in several places at once: most of its time is waiting. */
async function inPlaces(
  places: readonly string[],
  steps: (place: string, flags: readonly string[]) => Promise<void>,
): Promise<void> {
  await Promise.all(places.map((place) => steps(place, PLACES[place]!)));
}

/** The time of a whole call holds the start of its program too, which a busy machine makes long. */
const ROOMY_SECONDS = 25;
const ALL = Object.keys(PLACES);

// In the first place, which is the better one, all of them can be ended.
for (const [name, { script }] of stubbornIn(ALL[0]!)) {
  const places = ALL.filter((place) => stubbornIn(place).some(([known]) => known === name));
  Deno.test(`a timeout ends ${name}, ${places.join(" and ")}, and the batch goes on`, async () => {
    await inPlaces(places, async (place, flags) => {
      using sleepers = makeSleepers();
      using scene = sceneOfLimits();
      const command = withWords(script, sleepers);
      const calls: Call[] = [
        { tool: "Bash", arguments: { command, timeout: SECONDS } },
        { tool: "par/bash", arguments: { argv: ["bash", "-c", command], timeout: SECONDS } },
      ];
      await inBatch(scene, flags, async (batch) => {
        for (const call of calls) {
          const { ok, error, text } = await batch.call(call.tool, call.arguments);
          assertEquals([ok, error?.code], [false, "timeout"], `${place}: ${text}`);
          const { stdout, stderr, exit_code, timeout_seconds } = error!.details;
          assertEquals([stdout, stderr, exit_code, timeout_seconds], ["part\n", "", 124, SECONDS]);
          assert(text.endsWith("\nstdout:\npart\n"), text);
          await sleepers.gone();
        }
        const { text } = await batch.call("Bash", { command: "echo still here" });
        assertEquals(text, "exit_code: 0\nstdout:\nstill here\n");
      });
    });
  });
}

programTest(`a timeout ends what Python left behind, ${ALL.join(" and ")}`, ["python3"], async () => {
  await inPlaces(ALL, async (place, flags) => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const code = [
      "import os, signal, subprocess",
      "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
      "if os.fork() == 0:",
      "    os.setsid()",
      `    if os.fork() == 0: os.execvp('env', ${JSON.stringify(sleepers.words.split(" "))})`,
      "    os._exit(0)",
      "print('part', flush=True)",
      `subprocess.run(${JSON.stringify(sleepers.words.split(" "))})`,
    ].join("\n");
    await inBatch(scene, [CONFIG, ...flags], async (batch) => {
      const { error, text } = await batch.call("python_execute", { code });
      assertEquals(error?.code, "timeout", `${place}: ${text}`);
      // A busy machine may not have started Python by then.
      assertMatch(text, new RegExp(`^Execution timeout after ${SECONDS} seconds(\npart\n)?$`));
      await sleepers.gone();
    });
  });
});

for (const [place, flags] of Object.entries(PLACES)) {
  Deno.test(`a program that ends takes along what it left in the background, ${place}`, async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const script = "SLEEP & (setsid SLEEP &); (trap '' TERM HUP; SLEEP) & echo part";
    const command = withWords(script, sleepers);
    await inBatch(scene, flags, async (batch) => {
      for (const input of [{ command, timeout: 60 }, { command: `${command}; kill -9 $$`, timeout: 60 }]) {
        const { ok, text } = await batch.call("Bash", input);
        assertEquals([ok, text.split("\n").slice(1).join("\n")], [true, "stdout:\npart\n"], text);
        await sleepers.gone();
      }
    });
  });

  Deno.test(`the end of a batch ends shells and terminals with all that they started, ${place}`, async () => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    await inBatch(scene, [CONFIG, ...flags], async (batch) => {
      await openSessions(batch, sleepers);
    });
    await sleepers.gone();
  });
}

Deno.test(`--timeout bounds every call, also those that ask for more, ${ALL.join(" and ")}`, async () => {
  await inPlaces(ALL, async (place, flags) => {
    using sleepers = makeSleepers();
    using scene = sceneOfLimits();
    const command = `trap '' TERM; echo part; ${sleepers.words}`;
    const { code, answers } = await scene.batch([
      { tool: "Bash", arguments: { command, timeout: 50 } },
      { tool: "par/bash", arguments: { argv: ["bash", "-c", command] } },
      { tool: "Bash", arguments: { command: "echo still here" } },
    ], [`--timeout=${ROOMY_SECONDS}`, ...flags]);
    for (const { error, text } of answers.slice(0, 2)) {
      assertEquals(error?.code, "timeout", `${place}: ${text}`);
      assertStringIncludes(text, "\nstdout:\npart\n");
    }
    assertMatch(answers[0]!.warnings.join("\n"), /timeout 50 was lowered to [\d.]+ seconds/);
    assertEquals([code, answers[2]!.text], [124, "exit_code: 0\nstdout:\nstill here\n"]);
    await sleepers.gone();
  });
});
