// What attacks try works where there are no walls: held by them, each is a case of tests/attacks/held.
import { assert, assertEquals } from "@std/assert";

import {
  all,
  attackFiles,
  readingAttacks,
  results,
  TRY_ALL,
  writingAttacks,
} from "../../support/cli/attacks.ts";
import { type Bypass, bypassCommand, BYPASSES, bypassScript } from "../../support/cli/bypasses.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";
import { hasProgram } from "../../support/needed_programs.ts";

const NAMES = Object.keys(BYPASSES);

/** A repository with a change, or a plain folder where there is no git, and scripts for the bypasses, beside a folder that nobody may touch. */
function makeRepository(): Scene {
  const scene = makeScene({ "ws/a.txt": "alpha\n", "ws/made/kept": "", "outside/kept": "kept\n" });
  for (const name of NAMES) {
    const path = bypassScript(name);
    scene.write(`ws/${path}`, `#!/bin/sh\ntouch "${scene.ws}/made/${name}"\nexec /bin/cat\n`);
    Deno.chmodSync(scene.at(`ws/${path}`), 0o755);
  }
  const git = (...args: string[]) => {
    if (!hasProgram("git")) return;
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    const { success } = new Deno.Command("git", { args: [...identity, ...args], cwd: scene.ws }).outputSync();
    assert(success, args.join(" "));
  };
  git("init", "-q", "-b", "main");
  git("add", "a.txt");
  git("commit", "-q", "-m", "first");
  scene.write("ws/a.txt", "alpha\nbeta\n");
  // Commits in what the bypasses do need a name, too.
  scene.write("home/.gitconfig", "[user]\n\tname = Test\n\temail = test@example.com\n");
  return scene;
}

function isThere(bypass: Bypass): boolean {
  return typeof bypass === "string" || hasProgram(bypass.needs);
}

Deno.test("without walls, every attack is a way out", async () => {
  const [secret, token] = ["hunter2-do-not-show", "planted-0123456789abcdef"];
  using scene = makeScene({
    "outside/secret.txt": `${secret}\n`,
    "outside/append.txt": "kept\n",
    "outside/remove.txt": "kept\n",
    "outside/move.txt": "kept\n",
    "home/.ssh/id_rsa": `${secret}\n`,
  });
  const prey = { outside: scene.at("outside"), home: scene.at("home"), secret, token };
  const attacks = [...readingAttacks(prey), ...writingAttacks(prey)];
  for (const [name, content] of Object.entries(attackFiles(attacks))) scene.write(name, content);
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `${TRY_ALL} ${secret}`],
    cwd: scene.ws,
    env: { PLANTED_SECRET_TOKEN: token },
  }).output();
  assertEquals(results(new TextDecoder().decode(stdout)), all("BREACHED", attacks));
});

Deno.test("without walls, every bypass makes its file", async () => {
  using scene = makeRepository();
  const failed: string[] = [];
  for (const name of NAMES) {
    if (!isThere(BYPASSES[name]!)) continue;
    const { stderr } = await new Deno.Command("bash", {
      args: ["-c", bypassCommand(name, `made/${name}`)],
      cwd: scene.ws,
      env: { HOME: scene.at("home"), GIT_TERMINAL_PROMPT: "0" },
      stdin: "null",
    }).output();
    if (!scene.exists(`ws/made/${name}`)) failed.push(`${name}: ${new TextDecoder().decode(stderr)}`);
  }
  assertEquals(failed, []);
});
