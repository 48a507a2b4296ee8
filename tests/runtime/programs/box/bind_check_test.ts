import { assertEquals } from "@std/assert";

import { boxTest } from "../../../support/box.ts";
import { launchScene, start } from "../../../support/launch_scene.ts";

boxTest("a box starts nothing if a link led what it mounts to another folder", async () => {
  using scene = launchScene({
    "outside/.git/config": "[core]\n",
    "ws/a b\\c/.git/config": "[core]\n",
    "ws/a b\\c/deep/.vscode/x": "",
  });
  const launch = await scene.prepare({ argv: ["sh", "-c", "echo ran; echo x > */.git/planted"] });
  assertEquals((await start(launch)).stdout, "ran\n");
  const bind = launch.argv.findIndex((word, at) =>
    word === "--bind" && launch.argv[at + 1]!.endsWith("c/.git")
  );
  // As if the folder above had been a link at the moment when bubblewrap looked for what to mount.
  const moved = launch.argv.with(bind + 1, scene.at("outside/.git"));
  const { code, stdout, stderr } = await start({ ...launch, argv: moved });
  assertEquals([code, stdout], [1, ""]);
  assertEquals(stderr, "bwrap: a folder was moved while the sandbox was made, try again\n");
  assertEquals(scene.exists("outside/.git/planted"), false);
});

boxTest("a box with a denied shell starts what it masks all the same", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" }, { flags: { deny: { run: ["sh"] } } });
  assertEquals((await start(await scene.prepare({ argv: ["echo", "ran"] }))).stdout, "ran\n");
});
