import { assert, assertEquals, assertMatch } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { descendants, makeMark, until } from "../../support/cli/processes.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { rounds } from "../../support/tier.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { ANYWHERE, inBatch, Terminal } from "../../support/cli/terminal.ts";

const SESSIONS = rounds(12, 100);

/** Registers a test that needs terminals, which `script` of util-linux makes. */
function terminalTest(name: string, run: () => Promise<void>): void {
  programTest(name, ["script"], run);
}

terminalTest("a terminal lives as long as its run: call has none for the next call", async () => {
  using scene = makeScene();
  const started = await scene.run(["call", "TerminalStart", ...ANYWHERE]);
  assertMatch(
    started.stdout,
    /^\[TerminalStart\] Started terminal session\.\nsession_id: term_1\npid: \d+\n/,
  );
  const input = { session_id: "term_1", input: "x" };
  const written = await scene.call("TerminalWrite", input, ANYWHERE);
  assertEquals([written.code, written.error?.code, written.text], [
    1,
    "not_found",
    "[TerminalWrite] Session not found: term_1",
  ]);
});

terminalTest(`${SESSIONS} terminals leave no process and no descriptor`, async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const openAndClose = async () => {
      const terminal = await Terminal.open(batch);
      assertEquals((await terminal.call("TerminalKill", { force: true })).ok, true);
    };
    await openAndClose();
    const before = held(batch.pid);
    for (let count = 1; count < SESSIONS; count++) await openAndClose();
    await until(`no more than ${before} descriptors and processes`, () => {
      const [descriptors, processes] = held(batch.pid);
      // Main opens a few for itself at times; those of terminals would be as many as terminals.
      return processes <= before[1] && descriptors < before[0] + SESSIONS / 3;
    });
  });
});

terminalTest("TerminalKill ends what heeds no signal", async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    for (const force of [false, true]) {
      using sleepers = makeSleepers();
      const terminal = await Terminal.open(batch);
      await terminal.type(
        `trap '' HUP INT TERM; echo rea''dy; while :; do ${sleepers.words}; done\n`,
        "ready",
      );
      await sleepers.run(1);
      const { result, metadata } = await terminal.call("TerminalKill", { force });
      assertEquals(result, { session_id: terminal.id, alive: false, returncode: 137 });
      // Two seconds to end by itself come before force.
      assertEquals(force || metadata.duration_ms >= 1900, true);
      await sleepers.gone();
    }
  });
});

/** Descriptors and processes of a process; one that cleans up after a terminal may be among them for a moment. */
function held(pid: number): [descriptors: number, processes: number] {
  const { stdout } = new Deno.Command("/bin/sh", { args: ["-c", `ls /proc/${pid}/fd | wc -l`] }).outputSync();
  return [Number(new TextDecoder().decode(stdout)), descendants(pid).length];
}

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
