import { assertEquals } from "@std/assert";

import { boxTest } from "../../../support/box.ts";
import { launchScene, start } from "../../../support/launch_scene.ts";

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
