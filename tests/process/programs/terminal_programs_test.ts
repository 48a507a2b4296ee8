import { assert, assertEquals, assertMatch } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { makeMark, until } from "../../support/cli/processes.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { ANYWHERE, inBatch, PATIENT, Terminal } from "../../support/cli/terminal.ts";

programTest("vim edits a file; the screen shows it", ["vim"], async () => {
  using scene = makeScene();
  const [name, mark] = ["greeting.txt", makeMark()];
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch, { rows: 10, cols: 60 });
    await terminal.type(`env ${mark.word} vim -u NONE -N ${name}\n`, name, "screen");
    const screen = await terminal.type("ihello 日本\nsecond\x1b", "second", "screen");
    assertMatch(screen, /^hello 日本\nsecond\n~\n~\n~\n~\n~\n~\n~\n/);
    await terminal.press(":wq\n");
    await until("the end of vim", () => mark.pids().length === 0);
    assertEquals(scene.read(`ws/${name}`), "hello 日本\nsecond\n");
    await terminal.type("echo $((40 + 2))\n", "42");
  });
});

programTest("top shows its table on the screen", ["top"], async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch, { rows: 20, cols: 100 });
    const mark = makeMark();
    const screen = await terminal.type(`env ${mark.word} top -d 60\n`, "COMMAND", "screen");
    assertMatch(screen, /^top - .*\n(.*\n){4,6} +PID USER .* COMMAND\n *\d+ /);
    assert(screen.split("\n").every((line) => line.length <= 100) && screen.split("\n").length <= 20, screen);
    await terminal.press("q");
    await until("the end of top", () => mark.pids().length === 0);
    await terminal.type("echo $((40 + 2))\n", "42");
  });
});

programTest("Python talks in a terminal", ["python3"], async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch, { shell: "python3" });
    await terminal.type("def double(n):\n    return 2 * n\n\n", ">>> ");
    await terminal.type("print(double(21), 'é')\n", "42 é\n");
    await terminal.press("exit(3)\n");
    const { result } = await terminal.call("TerminalRead", { yield_time_ms: PATIENT });
    assertEquals((result as { returncode: number }).returncode, 3);
  });
});
