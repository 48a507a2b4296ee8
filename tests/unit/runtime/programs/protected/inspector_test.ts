import { assertEquals } from "@std/assert";

import { boxTest } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";

boxTest("inspect() opens what a program closed, and finds what it left there", async () => {
  using scene = launchScene({ "ws/own/a.txt": "" });
  Deno.mkdirSync(scene.at("ws/before"));
  Deno.chmodSync(scene.at("ws/before"), 0o311);
  const launch = await scene.prepare({
    argv: [
      "sh",
      "-c",
      "mkdir -p sub/deep; for at in . own sub/deep; do echo x > $at/.envrc; done; chmod 000 sub/deep; chmod 444 sub; " +
      "chmod 311 own; chmod 311 .",
    ],
  });
  await start(launch);
  const lines = await launch.inspect();
  const { mode } = Deno.statSync(scene.at("ws/before"));
  Deno.chmodSync(scene.at("ws/before"), 0o755);
  assertEquals(scene.aside(), [".envrc", ".envrc", ".envrc"]);
  assertEquals(
    lines.filter((line) => line.startsWith("Made ")),
    ["ws", "ws/own", "ws/sub", "ws/sub/deep"].map((name) =>
      `Made "${scene.at(name)}" readable again: a program closed it`
    ),
  );
  assertEquals(lines.length, 7);
  assertEquals((mode ?? 0) & 0o777, 0o311);
  assertEquals(await launch.inspect(), []);
});

boxTest("inspect() puts a folder with very many hooks aside as a whole", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" });
  const launch = await scene.prepare({
    argv: ["sh", "-c", "mkdir .git/hooks; cd .git/hooks; touch $(seq 300)"],
  });
  await start(launch);
  assertEquals([(await launch.inspect()).length, scene.aside()], [1, ["hooks"]]);
});

boxTest("inspect() tells what agents follow, and leaves it", async () => {
  using scene = launchScene({ "ws/CLAUDE.md": "" });
  const launch = await scene.prepare({ argv: ["sh", "-c", "echo x > AGENTS.md; cat CLAUDE.md"] });
  await start(launch);
  const told = `"${
    scene.at("ws/AGENTS.md")
  }" was made or changed: agents follow what it says, so read it before`;
  assertEquals([await launch.inspect(), scene.aside()], [[told], []]);
});

boxTest("inspect() leaves the user's bare repository, and moves what makes a new one dangerous", async () => {
  using scene = launchScene({
    "ws/bare/HEAD": "ref: refs/heads/main\n",
    "ws/bare/objects/": "",
    "ws/bare/refs/": "",
    "ws/bare/hooks/pre-receive": "#!/bin/sh\n",
    "ws/main.ts": "",
  });
  const make = "mkdir -p b/objects b/refs; cp bare/HEAD b; ln -s ../other b/info";
  // The user's file does not become one that git runs, although a new hook leads to it.
  const link = "git init -q n; ln -s ../../../main.ts n/.git/hooks/pre-commit; echo x > main.ts";
  const launch = await scene.prepare({ argv: ["sh", "-c", `${make}; ${link}`] });
  await start(launch);
  await launch.inspect();
  assertEquals(scene.aside(), ["HEAD", "pre-commit"]);
  assertEquals([scene.exists("ws/bare/HEAD"), scene.read("ws/main.ts")], [true, "x\n"]);
});
