import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { treeOf } from "../../support/cli/odd_tree.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { random, rounds } from "../../support/tier.ts";

/** How often SIGKILL comes at some moment. */
const ROUNDS = rounds(2, 30);
const RANDOM_MS = 800;
/** Changes all kinds of things for as long as it may; what it does is its own affair, and it goes on where it is. */
const CHANGES = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo $i >> kept; mkdir -p d$((i%50))/s; " +
  "echo $i > d$((i%50))/s/f$i; rm -rf d$(((i+25)%50)); rm -rf old; mkdir old; echo $i > old/new; done";

boxTest(
  "a workspace is as it was whenever a run in an overlay is killed, and whole after each killed apply",
  async () => {
    for (const flag of ["--overlay", "--overlay=copy"]) {
      using scene = makeScene({
        "ws/kept": "0\n",
        "ws/old/a": "1\n",
        "ws/old/b/c": "1\n",
        "ws/d1/s/f0": "1\n",
      });
      for (let round = 0; round < ROUNDS; round++) {
        const before = await treeOf(scene.ws);
        const running = scene.start(["exec", flag, "--quiet", "--", "sh", "-c", `echo begun; ${CHANGES}`]);
        assertEquals(await running.nextLine(), "begun");
        await new Promise((resolve) => setTimeout(resolve, random() * RANDOM_MS));
        running.kill("SIGKILL");
        await running.ended();
        assertEquals(await treeOf(scene.ws), before, `round ${round}`);
        // The processes of the run end with it, at once or soon.
        const shown = await untilStill(async () => (await scene.run(["diff", "--stat"])).stdout);
        const applying = scene.start(["apply", "--quiet"]);
        await new Promise((resolve) => setTimeout(resolve, random() * RANDOM_MS));
        applying.kill("SIGKILL");
        await applying.ended();
        const { code, stderr } = await scene.run(["apply", "--quiet"]);
        // It came to its end before the kill.
        assert(code === 0 || shown === "" || /No overlay/.test(stderr), stderr);
        assertEquals((await scene.run(["sessions"])).stdout, "no sessions\n", `round ${round}`);
        const left = (await treeOf(scene.ws)).split("\n").filter((line) =>
          /bulkhead-place|user\.overlay/.test(line)
        );
        assertEquals(left, []);
      }
    }
  },
);

/** Looks until nothing is other than at the look before. */
async function untilStill(look: () => Promise<string>): Promise<string> {
  let last = await look();
  for (let now = await look(); now !== last; now = await look()) last = now;
  return last;
}
