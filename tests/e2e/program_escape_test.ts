import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../box.ts";
import { all, type Attack, attackFiles, POWER_ATTACKS, type Prey } from "./attacks.ts";
import { readingAttacks, results, TRY_ALL, writingAttacks } from "./attacks.ts";
import { makeScene, type Scene } from "./scene.ts";
import { snapshot } from "./snapshot.ts";
import { said, SURFACE_CONFIG, SURFACES } from "./surfaces.ts";

const SECRET = "hunter2-do-not-show";
const TOKEN = "planted-0123456789abcdef";
const ENV = { PLANTED_SECRET_TOKEN: TOKEN };

const OUTSIDE = {
  "outside/secret.txt": `${SECRET}\n`,
  "outside/append.txt": "kept\n",
  "outside/remove.txt": "kept\n",
  "outside/move.txt": "kept\n",
  "home/.ssh/id_rsa": `${SECRET}\n`,
  "home/.bashrc": "kept\n",
  "config.json": SURFACE_CONFIG,
  "state/bulkhead/here": "",
};

function preyOf(scene: Scene): Prey {
  return { outside: scene.at("outside"), home: scene.at("home"), secret: SECRET, token: TOKEN };
}

/** A workspace with attacks, beside what they are after. */
function makeAttacked(attacks: (prey: Prey) => readonly Attack[]): { scene: Scene; list: readonly Attack[] } {
  const scene = makeScene(OUTSIDE);
  const list = attacks(preyOf(scene));
  for (const [name, content] of Object.entries(attackFiles(list))) scene.write(name, content);
  return { scene, list };
}

/** Everything of a scene but the workspace and what bulkhead itself keeps. */
function surroundings(scene: Scene): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(scene.root)).filter(([path]) =>
      !path.startsWith(scene.ws) && !path.startsWith(scene.at("state")) && path !== scene.at("audit.jsonl")
    ),
  );
}

Deno.test("without walls, every attack is a way out", async () => {
  const { scene, list } = makeAttacked((prey) => [...readingAttacks(prey), ...writingAttacks(prey)]);
  using _ = scene;
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `${TRY_ALL} ${SECRET}`],
    cwd: scene.ws,
    env: ENV,
  }).output();
  assertEquals(results(new TextDecoder().decode(stdout)), all("BREACHED", list));
});

for (const { name, calls } of SURFACES) {
  boxTest(`no command leads out of the box, by ${name}`, async () => {
    const { scene, list } = makeAttacked((prey) => [
      ...readingAttacks(prey),
      ...writingAttacks(prey),
      ...POWER_ATTACKS,
    ]);
    using _ = scene;
    const before = surroundings(scene);
    const attack = calls(TRY_ALL);
    const flags = ["--config", scene.at("config.json"), "--audit", scene.at("audit.jsonl")];
    const { answers, stderr } = await scene.batch(
      [...attack, { tool: "Bash", arguments: { command: "echo still here" } }],
      flags,
      { env: ENV },
    );
    const [alive, ...told] = answers.reverse();
    assertEquals(results(said(told.reverse())), all("refused", list), JSON.stringify(told));
    assertEquals([alive!.text, stderr], ["exit_code: 0\nstdout:\nstill here\n", ""]);
    assertEquals(surroundings(scene), before);
    const kept = JSON.stringify([answers, scene.read("audit.jsonl"), snapshot(scene.at("state"))]);
    assert(!kept.includes(TOKEN) && !kept.includes(SECRET));
    for (const path of ["/usr/bin", "/etc", "", "/dev"]) {
      assert(![...Deno.readDirSync(`${path}/`)].some(({ name }) => name === "bulkhead-planted"));
    }
  });
}
