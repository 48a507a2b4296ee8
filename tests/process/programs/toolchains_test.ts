import { assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
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

boxTest(
  "a call, its explanation and exec tell which flag shows a command of PATH, and the flag works",
  async () => {
    using scene = makeScene({ "home/.x/bin/mytool": "#!/bin/sh\necho mine" });
    Deno.chmodSync(scene.at("home/.x/bin/mytool"), 0o755);
    const folder = scene.at("home/.x");
    const env = { PATH: `${folder}/bin:${SYSTEM}` };
    const flag = `--sandbox-show=${folder}`;
    const hint = `mytool is in ${folder}/bin, which the sandbox does not show: pass ${flag}`;
    const call = [{ tool: "Bash", arguments: { command: "mytool" } }];
    const { answers: [missing] } = await scene.batch(call, [], { env });
    const { answers: [shown] } = await scene.batch(call, [flag], { env });
    assertEquals(missing!.warnings, [hint]);
    assertEquals([(shown!.result as { stdout: string }).stdout, shown!.warnings], ["mine\n", []]);
    const explained = await scene.run(["explain", "Bash", "command=mytool"], { env });
    assertEquals(explained.stdout.split("\n").slice(-3), [
      `warning  ${hint}`,
      "verdict  would run, but see the warnings",
      "",
    ]);
    const { code, stderr } = await scene.run(["exec", "--", "sh", "-c", "mytool 2>/dev/null"], { env });
    assertEquals([code, stderr], [127, `bulkhead: ${hint}\n`]);
  },
);
