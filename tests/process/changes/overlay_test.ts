import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { runAgent } from "../../support/cli/agent_scene.ts";
import { atTerminal } from "../../support/cli/at_terminal.ts";
import { inFolder, ODD_CHANGES, ODD_TREE, treeOf } from "../../support/cli/odd_tree.ts";
import { makeScene } from "../../support/cli/scene.ts";

boxTest(
  "an overlay keeps all changes from the workspace; diff shows them; apply brings in just those",
  async () => {
    for (const flag of ["--overlay", "--overlay=copy"]) await changeOddly(flag);
  },
);

async function changeOddly(flag: string) {
  using scene = makeScene();
  using twin = makeScene();
  for (const { ws } of [scene, twin]) await inFolder(ws, ODD_TREE);
  const before = await treeOf(scene.ws);
  const ended = await scene.run(["exec", flag, "--", "bash", "-ec", `${ODD_CHANGES}\nexit 7`]);
  assertEquals(ended.code, 7, ended.stderr);
  assertStringIncludes(ended.stderr, "the workspace is as it was");
  assertEquals(await treeOf(scene.ws), before);
  const stat = await scene.run(["diff", "--stat"]);
  for (
    const row of [
      "  M src/a  +1 -0\n",
      "  D src/b  +0 -1\n",
      "  A made/empty  folder\n",
      "  M run.sh  +0 -0\n",
    ]
  ) {
    assertStringIncludes(stat.stdout, row);
  }
  assertStringIncludes(
    (await scene.run(["diff"])).stdout,
    "--- a/src/a\n+++ b/src/a\n@@ -1 +1,2 @@\n one\n+more\n",
  );
  const applied = await scene.run(["apply", "--json"]);
  assertEquals([applied.code, applied.stderr], [0, ""]);
  assertEquals(JSON.parse(applied.stdout).rest, 0);
  // The same changes made directly; only times of changes and what git makes of them differ.
  await inFolder(twin.ws, ODD_CHANGES);
  const plain = async (folder: string) =>
    (await treeOf(folder)).split("\n").filter((line) => !line.includes("./.git/"))
      // The kernel parts the names of a file that is written to.
      .filter((line) => flag !== "--overlay" || !/\.\/src\/(?:a|hard)\b/.test(line))
      .map((line) => line.replace(/ (\d+)\.\d{10} /, " ")).join("\n");
  assertEquals(await plain(scene.ws), await plain(twin.ws));
  assertEquals((await scene.run(["apply"])).code, 2);
  // What was brought in can be taken back.
  assertEquals((await scene.run(["sessions"])).stdout, "no sessions\n");
}

boxTest(
  "apply leaves out what the user's own tools execute, takes single paths, and refuses what changed since",
  async () => {
    using scene = makeScene({ "ws/a": "1\n", "ws/b": "1\n" });
    await inFolder(scene.ws, "git init -q .");
    const script =
      "echo 2 > a; echo 2 > b; mkdir sub; echo new > sub/c; echo evil > .git/hooks/pre-commit; " +
      "mkdir .vscode; echo {} > .vscode/tasks.json";
    const flags = ["--allow-write=.git/hooks,.vscode", "--overlay", "--", "bash", "-c", script];
    const { stderr } = await scene.run(["exec", ...flags]);
    assertStringIncludes(stderr, "A .git/hooks/pre-commit  +1 -0  (your own tools execute it)");
    const one = await scene.run(["apply", "sub/c"]);
    assertEquals([one.code, one.stdout], [0, "applied 1 change\n  A sub/c  +1 -0\n"]);
    assertEquals([scene.read("ws/sub/c"), scene.read("ws/a")], ["new\n", "1\n"]);
    scene.write("ws/b", "mine\n");
    const conflict = await scene.run(["apply"]);
    assertEquals(conflict.code, 1);
    assertStringIncludes(conflict.stderr, '"b" changed in the workspace since; nothing was changed');
    assertEquals([scene.read("ws/a"), scene.read("ws/b")], ["1\n", "mine\n"]);
    scene.write("ws/b", "2\n");
    const rest = await scene.run(["apply"]);
    assertEquals([rest.code, scene.read("ws/a")], [3, "2\n"]);
    assertStringIncludes(rest.stderr, "pass --allow-write=.git/hooks/pre-commit to apply it");
    assertEquals([scene.exists("ws/.git/hooks/pre-commit"), scene.exists("ws/.vscode")], [false, false]);
    const named = await scene.run(["apply", "--allow-write=.git/hooks/pre-commit"]);
    assertEquals([named.code, scene.read("ws/.git/hooks/pre-commit")], [3, "evil\n"]);
    assertMatch((await scene.run(["sessions"])).stdout, /overlay/);
  },
);

boxTest("an overlay refuses what it does not cover, and changes nothing then", async () => {
  using scene = makeScene({ "ws/a": "1\n" });
  for (const flag of ["-A", `--allow-write=${scene.at("outside")}`]) {
    const { code, stderr } = await scene.run(["exec", "--overlay", flag, "--", "true"]);
    assertEquals(code, 2);
    assertStringIncludes(stderr, "Option --overlay copies the workspace alone");
  }
  const home = await scene.run(["exec", "--overlay", "-C", scene.root, "--", "true"]);
  assertEquals(home.code, 6);
  assertStringIncludes(home.stderr, "bulkhead's own files lie in it");
  scene.link("/usr/bin/cat", "cat");
  const none = await scene.run(["diff"]);
  assertEquals([none.code, none.stdout], [2, ""]);
});

boxTest("a resumed session goes on in its overlay, and sessions rm drops it", async () => {
  using scene = makeScene({ "ws/a": "1\n" });
  const write = (path: string) => ({
    tool_calls: [{ id: "c", name: "Write", arguments: { path, content: "2\n", overwrite: true } }],
  });
  await using model = scriptedModel([write("a"), { text: "One." }, write("b"), { text: "Two." }]);
  const first = await runAgent(scene, model, ["Go", "--overlay", "--json"]);
  const { session_id } = JSON.parse(first.stdout);
  const second = await runAgent(scene, model, ["More", "--resume"]);
  assertEquals([first.code, second.code, scene.read("ws/a")], [0, 0, "1\n"], second.stderr);
  assertStringIncludes(second.stderr, "  M a  +1 -1\n  A b  +1 -0\n");
  assertMatch((await scene.run(["sessions"])).stdout, /completed, overlay/);
  assertEquals((await scene.run(["sessions", "rm", session_id])).code, 0);
  assertEquals((await scene.run(["diff", session_id])).code, 2);
});

boxTest(
  "a signal goes through to the command in an overlay, and a kill leaves the workspace as it was",
  async () => {
    using scene = makeScene({ "ws/a": "1\n" });
    const script = "trap 'echo told; exit 9' TERM; echo 2 > a; echo ready; sleep 30 & wait";
    const told = scene.start(["exec", "--overlay", "--", "sh", "-c", script]);
    assertEquals(await told.nextLine(), "ready");
    told.kill("SIGTERM");
    const ended = await told.ended();
    assertEquals([ended.code, ended.stdout], [143, "told\n"]);
    assertStringIncludes(ended.stderr, "  M a  +1 -1\n");
    const killed = scene.start(["exec", "--overlay", "--", "sh", "-c", script]);
    assertEquals(await killed.nextLine(), "ready");
    killed.kill("SIGKILL");
    await killed.ended();
    assertEquals(scene.read("ws/a"), "1\n");
    // What was done until then is there to be looked at, and it is said that it may not be all.
    for (const words of [["exec", "--overlay", "-q", "--", "true"], ["diff", "--stat"], ["apply"]]) {
      const { code, stdout, stderr } = await scene.run(words);
      assertEquals(code, 0, stderr);
      assertStringIncludes(stderr, "has not come to its end, so its changes may not be whole\n");
      if (words[0] === "diff") assertEquals(stdout, "  M a  +1 -1\n");
    }
  },
);

boxTest("apply asks at a terminal for what the user's own tools execute", async () => {
  using scene = makeScene({ "ws/a": "1\n" });
  const env = { XDG_STATE_HOME: undefined, XDG_CONFIG_HOME: "" };
  const script = "mkdir .vscode; echo {} > .vscode/tasks.json; echo {} > .vscode/launch.json; echo 2 > a";
  await scene.run(["exec", "--overlay", "--allow-write=.vscode", "--", "sh", "-c", script], { env });
  const { code, screen } = await atTerminal(scene, ["apply"], { typed: "y\nn\n\ny\n", ci: "" });
  assertEquals(code, 3, screen);
  assertStringIncludes(screen, "apply would make a file that your own tools execute");
  assertEquals([scene.read("ws/a"), scene.exists("ws/.vscode/launch.json")], ["2\n", false], screen);
});
