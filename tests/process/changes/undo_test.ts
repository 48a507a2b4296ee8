import { assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { runAgent } from "../../support/cli/agent_scene.ts";
import { inFolder, ODD_CHANGES, ODD_TREE, treeOf } from "../../support/cli/odd_tree.ts";
import { makeScene } from "../../support/cli/scene.ts";

const calls = (...list: [name: string, input: unknown][]) => ({
  tool_calls: list.map(([name, input], n) => ({ id: `c${n}`, name, arguments: input })),
});
const END = { text: "Done." };

boxTest("undo puts back all that tools and programs of a run changed", async () => {
  using scene = makeScene();
  await inFolder(scene.ws, ODD_TREE);
  const before = await treeOf(scene.ws);
  await using model = scriptedModel([
    calls(["Write", { path: "src/a", content: "tool\n" }], ["Write", { path: "n/e/w", content: "x\n" }]),
    calls(["Bash", { command: ODD_CHANGES }]),
    calls(["Write", { path: "made/file", content: "again\n" }], ["Bash", {
      command: "echo end >> run.sh; rm -r n",
    }]),
    END,
  ]);
  const { code, stderr } = await runAgent(scene, model, ["Go"]);
  assertEquals(code, 0, stderr);
  const page = await scene.run(["sessions", "show", "--html"]);
  assertEquals([page.code, page.stderr], [0, ""]);
  assertStringIncludes(page.stdout, '<code>src/a</code> <span class="dim">modified</span>');
  assertEquals(await treeOf(scene.ws) === before, false);
  const asked = await scene.run(["undo"]);
  assertEquals(asked.code, 2);
  assertStringIncludes(asked.stderr, "pass --yes to undo without a question");
  const dry = await scene.run(["undo", "--dry-run"]);
  for (const row of ["  restore src/a\n", "  restore src/b\n", "  remove  made\n", "  restore empty\n"]) {
    assertStringIncludes(dry.stdout, row);
  }
  const undone = await scene.run(["undo", "--yes"]);
  assertEquals([undone.code, undone.stderr], [0, ""], undone.stdout);
  assertEquals(await treeOf(scene.ws), before);
  const again = await scene.run(["undo", "--yes"]);
  assertEquals(again.code, 2);
  assertStringIncludes(again.stderr, "they are undone already");
});

boxTest("undo leaves what somebody changed since, and says so; --force takes it back too", async () => {
  using scene = makeScene({ "ws/a": "1\n", "ws/b": "1\n", "ws/c": "1\n" });
  await using model = scriptedModel([
    calls(["Write", { path: "a", content: "run\n" }], ["Bash", {
      command: "echo run > b; mkdir d; echo run > d/e",
    }]),
    END,
  ]);
  await runAgent(scene, model, ["Go"]);
  scene.write("ws/b", "mine, later\n");
  scene.write("ws/d/mine", "x\n");
  scene.write("ws/c", "mine\n");
  const { code, stderr } = await scene.run(["undo", "--yes"]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, 'left "b" as it is: it changed after the run had changed it');
  assertStringIncludes(stderr, 'left "d" as it is: something is in it that the run did not make');
  assertEquals([scene.read("ws/a"), scene.read("ws/b"), scene.read("ws/c")], [
    "1\n",
    "mine, later\n",
    "mine\n",
  ]);
  assertEquals([scene.exists("ws/d/e"), scene.read("ws/d/mine")], [false, "x\n"]);
  const forced = await scene.run(["undo", "--yes", "--force", "--json"]);
  assertEquals([forced.code, scene.read("ws/b")], [1, "1\n"], forced.stdout);
  assertEquals(scene.read("ws/d/mine"), "x\n");
});
