import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { until } from "../../support/cli/processes.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { random, rounds } from "../../support/tier.ts";

/** Makes files that the user's own tools execute, until it is killed. */
const PLANT = "i=0; while :; do i=$((i+1)); mkdir -p .vscode d$i/.husky; echo E > .vscode/tasks.json; " +
  "echo E > d$i/.husky/pre-commit; echo E > .envrc; [ $i -lt 15 ] || sleep 60; sleep 0.02; done";
/** How often SIGKILL comes at some moment after the program has begun. */
const ROUNDS = rounds(2, 30);
const RANDOM_MS = 600;
const FLAGS = boxWorks ? [] : ["--sandbox=off", "--allow-run=bash"];
const NAME_PLANTED = /\/(\.vscode|\.husky|\.envrc)$/;
const PROTECTED = /\.vscode|\.husky|\.envrc|put-aside/;

function sceneOfPlanting() {
  const scene = makeScene({ "ws/sub/.vscode/settings.json": "mine", "home/.keep": "" });
  const planting = async () => {
    const running = scene.start(["call", "Bash", `command=${PLANT}`, "timeout=50", ...FLAGS]);
    await until("the first planted file", () => scene.exists("ws/.vscode"), 50_000, 0);
    return running;
  };
  const left = () => filesBelow(scene.ws).filter((path) => PROTECTED.test(path));
  return { scene, planting, left };
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? [...filesBelow(`${folder}/${name}`), `${folder}/${name}`] : [`${folder}/${name}`]
  );
}

Deno.test("the run after a killed one moves away what its program left, says so, and keeps no record", async () => {
  const { scene, planting, left } = sceneOfPlanting();
  using _scene = scene;
  const mine = left();
  for (let round = 0; round < ROUNDS; round++) {
    const running = await planting();
    await new Promise((resolve) => setTimeout(resolve, random() * RANDOM_MS));
    running.kill("SIGKILL");
    await running.ended();
    // The killed run may have moved some away itself: only what stands now is told next.
    const standing = left().filter((path) => !mine.includes(path) && NAME_PLANTED.test(path));
    const { stderr } = await scene.run(["call", "Glob", "pattern=nothing"]);
    assertMatch(stderr, /was killed while its program ran: looked at what it left\n/);
    for (const path of standing) assertStringIncludes(stderr, `Moved "${path}" to `);
    assertEquals([left(), [...Deno.readDirSync(scene.at("state/bulkhead/running"))]], [mine, []]);
  }
  assertEquals(scene.read("ws/sub/.vscode/settings.json"), "mine");
  assertEquals((await scene.run(["call", "Glob", "pattern=nothing"])).stderr, "");
});
