import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { snapshot } from "../../support/cli/snapshot.ts";
import { makeScene } from "../../support/cli/scene.ts";

const SYSTEM = "/usr/bin:/bin";

boxTest(
  "toolchains of the home are there for programs, unless --toolchains off or a file hides them",
  async () => {
    using scene = makeScene({
      "home/.nvm/versions/node/v20/bin/mynode": "#!/bin/sh\necho node of nvm",
      "home/.nvm/versions/node/v20/.npmrc": "TOKEN",
      "home/.local/share/keyrings/login": "KEYS",
      "off.json": '{"sandbox": {"toolchains": "off"}}',
    });
    Deno.chmodSync(scene.at("home/.nvm/versions/node/v20/bin/mynode"), 0o755);
    const env = { PATH: `${scene.at("home/.nvm/versions/node/v20/bin")}:${SYSTEM}` };
    const command = `mynode; cat ${scene.at("home")}/.nvm/versions/node/v20/.npmrc; ls -d ${
      scene.at("home")
    }/.local`;
    const answer = async (flags: readonly string[]) => {
      const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], flags, { env });
      return (answers[0]!.result as { stdout: string }).stdout;
    };
    assertEquals(await answer([]), "node of nvm\n");
    assertEquals(await answer(["--toolchains", "off"]), "");
    assertEquals(await answer(["--config", scene.at("off.json")]), "");
  },
);

boxTest("git in the sandbox knows the user's name and address, and the repository's own win", async () => {
  using scene = makeScene({
    "home/.gitconfig": "[user]\n\tname = Ann $(id) Lee\n\temail = ann@a.test\n[alias]\n\tx = status\n",
  });
  const log = 'git log -1 --format="%an %ae %cn"';
  const command = `git init -q . 2>/dev/null; git commit -q --allow-empty -m x && ${log}
    git config --global user.name; git config --global init.x y && git config init.x; git config alias.x
    git config user.name Shop && git commit -q --allow-empty -m y && ${log}`;
  const flags = ["--share-net"];
  const env = { GIT_CONFIG_GLOBAL: undefined, XDG_CONFIG_HOME: undefined };
  const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], flags, { env });
  assertEquals(answers[0]!.result, {
    exit_code: 0,
    stdout: [
      "Ann $(id) Lee ann@a.test Ann $(id) Lee",
      "Ann $(id) Lee",
      "y",
      "Shop ann@a.test Shop\n",
    ].join("\n"),
    stderr: "",
    truncated: false,
  });
  const { stdout } = await scene.run(["exec", "--", "git", "config", "user.email"], { env });
  assertEquals(stdout, "ann@a.test\n");
});

boxTest("exec and an explanation tell which flag shows a command of PATH, and the flag works", async () => {
  using scene = makeScene({ "home/.x/bin/mytool": "#!/bin/sh\necho mine" });
  Deno.chmodSync(scene.at("home/.x/bin/mytool"), 0o755);
  const env = { PATH: `${scene.at("home/.x/bin")}:${SYSTEM}` };
  const flag = `--sandbox-show=${scene.at("home/.x")}`;
  const hint = `mytool is in ${scene.at("home/.x/bin")}, which the sandbox does not show: pass ${flag}`;
  const explained = await scene.run(["explain", "Bash", "command=mytool"], { env });
  const verdict = "verdict  would run, but see the warnings";
  assertEquals(explained.stdout.split("\n").slice(-3), [`warning  ${hint}`, verdict, ""]);
  const { code, stderr } = await scene.run(["exec", "--", "sh", "-c", "mytool 2>/dev/null"], { env });
  assertEquals([code, stderr], [127, `bulkhead: ${hint}\n`]);
  assertEquals((await scene.run(["exec", flag, "--", "mytool"], { env })).stdout, "mine\n");
});

/** What people run to look around, with a part of what each says. */
const READING: readonly (readonly [command: string, says: string])[] = [
  ["cat a.txt", "alpha\nbeta"],
  ["grep -r alpha . | wc -l", "1"],
  ["find . -name '*.txt'", "./a.txt"],
  ["sed -n 2p a.txt", "beta"],
  ["awk '{ print NR }' a.txt", "1\n2"],
  ["cd made && ls", "kept"],
  ["for x in *; do echo $x; done", "a.txt"],
  ["[ -f a.txt ] && echo yes || echo no", "yes"],
  ["ls /nowhere 2>/dev/null; echo $?", "2"],
  ["printf '%s\\n' x | xargs -n1 echo", "x"],
  ["git status --short", "?? a.txt"],
  ["git diff --no-index made/kept a.txt || true", "+beta"],
  ["env | grep ^HOME=", "HOME="],
];

boxTest("reading commands run under the policies that only read", async () => {
  using scene = makeScene({ "ws/a.txt": "alpha\nbeta\n", "ws/made/kept": "" });
  const { success } = new Deno.Command("git", { args: ["init", "-q"], cwd: scene.ws }).outputSync();
  assertEquals(success, true);
  const before = snapshot(scene.ws);
  // What runs under the stricter one runs under the other.
  const calls = READING.map(([command]) => ({ tool: "Bash", arguments: { command } }));
  const { answers } = await scene.batch(calls, ["--policy=read-only-no-net"]);
  for (const [at, { text, ok }] of answers.entries()) {
    const [command, says] = READING[at]!;
    assert(ok && text.startsWith("exit_code: 0\n") && text.includes(says), `${command}: ${text}`);
  }
  assertEquals(snapshot(scene.ws), before);
});
