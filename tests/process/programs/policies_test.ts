import { assert, assertEquals } from "@std/assert";

import { OFFLINE_VARIABLES } from "../../../runtime/programs/network/offline_variables.ts";
import { boxTest } from "../../support/box.ts";
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
import { snapshot } from "../../support/cli/snapshot.ts";
import { hasProgram } from "../../support/needed_programs.ts";

const NAMES = Object.keys(BYPASSES);
/** What people run to look around, with a part of what each says. */
const READING: readonly (readonly [command: string, says: string])[] = [
  ["ls -la", "a.txt"],
  ["cat a.txt", "alpha\nbeta"],
  ["head -1 a.txt", "alpha"],
  ["tail -n 1 a.txt", "beta"],
  ["grep -rn beta a.txt", "2:beta"],
  ["grep -r alpha . | wc -l", "1"],
  ["find . -name '*.txt'", "./a.txt"],
  ["wc -l a.txt", "2 a.txt"],
  ["sort -r a.txt | uniq", "beta\nalpha"],
  ["cut -c1 a.txt | tr a-z A-Z", "A\nB"],
  ["sed -n 2p a.txt", "beta"],
  ["awk '{ print NR }' a.txt", "1\n2"],
  ["diff a.txt a.txt && echo same", "same"],
  ["stat -c %s a.txt", "11"],
  ["du -a made", "made/kept"],
  ["cd made && ls", "kept"],
  ["for x in *; do echo $x; done", "a.txt"],
  ["[ -f a.txt ] && echo yes || echo no", "yes"],
  ["ls /nowhere 2>/dev/null; echo $?", "2"],
  ["basename $PWD", "ws"],
  ["sha256sum a.txt", "a.txt"],
  ["file -b made", "directory"],
  ["printf '%s\\n' x | xargs -n1 echo", "x"],
  ["git log --oneline", "first"],
  ["git status --short", "M a.txt"],
  ["git diff", "+beta"],
  ["git show HEAD:a.txt", "alpha"],
  ["git blame a.txt", "beta"],
  ["git grep alpha", "a.txt:alpha"],
  ["git branch", "main"],
  ["env | grep ^HOME=", "HOME="],
  ["date +%Y", "20"],
];

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

// Held by walls, each of them is a case of tests/attacks/held.
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

boxTest("reading commands run under the policies that only read", async () => {
  using scene = makeRepository();
  const reading = READING.filter(([command]) =>
    !/^(git|file) /.test(command) || hasProgram(command.split(" ")[0]!)
  );
  const calls = reading.map(([command]) => ({ tool: "Bash", arguments: { command } }));
  await scene.batch([{ tool: "Bash", arguments: { command: "ls" } }]);
  const before = snapshot(scene.root);
  // What runs under the stricter one runs under the other.
  const { answers } = await scene.batch(calls, ["--policy=read-only-no-net"]);
  for (const [at, { text, ok }] of answers.entries()) {
    const [command, says] = reading[at]!;
    assert(ok && text.startsWith("exit_code: 0\n") && text.includes(says), `${command}: ${text}`);
  }
  assertEquals(snapshot(scene.root), before);
});

boxTest("programs see the few variables that they need, and those that the user names", async () => {
  using scene = makeScene();
  const env = {
    PLANTED_SECRET_TOKEN: "planted",
    OTHER: "other",
    LD_PRELOAD_X: "x",
    SSH_AUTH_SOCK: "/run/agent",
    OPENAI_API_KEY: "planted",
    // The test's own toolchains would add theirs.
    PATH: "/usr/bin:/bin",
  };
  const names = async (flags: string[]) => {
    const { answers } = await scene.batch(
      [{ tool: "par/bash", arguments: { argv: ["env", "-0"] } }],
      flags,
      { env },
    );
    const { stdout } = answers[0]!.result as { stdout: string };
    return stdout.split("\0").filter((line) => line !== "").map((line) => line.split("=")[0]!).sort();
  };
  const offline = Object.keys(OFFLINE_VARIABLES);
  const usual = ["GIT_TERMINAL_PROMPT", "HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR"];
  const seen = await names([]);
  assertEquals(seen.filter((name) => !["LC_ALL", "TZ", "USER", ...offline].includes(name)), usual);
  assertEquals(new Set(offline).isSubsetOf(new Set(seen)), true);
  assertEquals(await names(["--allow-env=OTHER"]), [...seen, "OTHER"].sort());
});
