import { assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { programTest } from "../../support/needed_programs.ts";
import { descendants, until } from "../../support/cli/processes.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import {
  asCaller,
  CONFIG,
  openSessions,
  sceneOfLimits,
  startCall,
  stubbornIn,
} from "../../support/cli/stubborn.ts";
import { PLACES } from "../../support/cli/terminal.ts";
import { rounds } from "../../support/tier.ts";

boxTest("nothing in a box outlives bulkhead, even if that is killed", async () => {
  // program_timeout_test.ts tries all that is hard to end.
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
  for (let round = 1; round <= rounds(6, 50); round++) {
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
