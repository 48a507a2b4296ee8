import { assert, assertEquals } from "@std/assert";

import { SANDBOXES } from "../../support/box.ts";
import { makeScene } from "../../support/cli/scene.ts";

// The ways out are cases of tests/attacks/held/paths_test.ts.
for (const box of SANDBOXES) {
  Deno.test(`links that stay inside are followed, --sandbox=${box}`, async () => {
    using scene = makeScene({ "ws/real/a.txt": "inside\n" });
    scene.link("real", "ws/folder");
    scene.link(scene.at("ws/real/a.txt"), "ws/file");
    scene.link("real/new.txt", "ws/dangling");
    const { answers } = await scene.batch([
      { tool: "par/read", arguments: { path: "folder/a.txt" } },
      { tool: "par/read", arguments: { path: "file" } },
      { tool: "par/write", arguments: { path: "dangling", content: "new" } },
      { tool: "par/write", arguments: { path: "file", content: "changed\n" } },
    ], [`--sandbox=${box}`]);
    assertEquals(answers.map(({ error }) => error), [null, null, null, null]);
    assertEquals([scene.read("ws/real/new.txt"), scene.read("ws/real/a.txt")], ["new", "changed\n"]);
    assert(
      Deno.lstatSync(scene.at("ws/file")).isSymlink && Deno.lstatSync(scene.at("ws/dangling")).isSymlink,
    );
  });
}
