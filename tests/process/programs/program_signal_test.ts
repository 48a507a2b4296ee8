import { assertEquals } from "@std/assert";

import type { ToolResult } from "../../../schemas/result.ts";
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

for (const [place, flags] of Object.entries(PLACES)) {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.test(`${signal} ends a call with ${code} and its program whole, ${place}`, async () => {
      // program_timeout_test.ts tries all that is hard to end.
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
}
