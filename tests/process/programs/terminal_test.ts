import { assert, assertEquals, assertMatch } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { converse } from "../../support/cli/conversation.ts";
import { descendants, until } from "../../support/cli/processes.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { ANYWHERE, inBatch, outputOf, PATIENT, PLACES, Terminal } from "../../support/cli/terminal.ts";

const SESSIONS = 30;

/** Registers a test that needs terminals, which `script` of util-linux makes. */
function terminalTest(name: string, run: () => Promise<void>): void {
  programTest(name, ["script"], run);
}

terminalTest("terminals show themselves line by line, as text", async () => {
  using scene = makeScene({ "ws/src/a.txt": "" });
  const id = "term_1";
  const session = { session_id: id, yield_time_ms: PATIENT };
  const { code, answers } = await scene.batch([
    { tool: "TerminalStart", arguments: { cwd: "src" } },
    { tool: "TerminalWrite", arguments: { ...session, input: "echo $((40 + 2)); stty size; basename $PWD" } },
    { tool: "TerminalRead", arguments: { session_id: id, yield_time_ms: 0 } },
    { tool: "TerminalInterrupt", arguments: { session_id: id, view: "raw" } },
    { tool: "TerminalWrite", arguments: { ...session, input: "exit 4" } },
    { tool: "TerminalKill", arguments: { session_id: id } },
  ], ANYWHERE);
  const [started, written, read, interrupted, exited, killed] = answers.map(({ text }) => text);
  const state = (alive: boolean, code: string) => `session_id: ${id}\nalive: ${alive}\nreturncode: ${code}`;
  const nothingLeft = "truncated: false\nremaining_output_chars: 0\ndropped_output_chars: 0\noutput:\n";
  assertMatch(started!, /^\[TerminalStart\] Started terminal session\.\nsession_id: term_1\npid: \d+\n/);
  assert(started!.endsWith(`\ncwd: ${scene.ws}/src\nshell: bash\nalive: true\nreturncode: None`), started);
  assertEquals(
    written,
    `[TerminalWrite] Session updated.\n${state(true, "None")}\n${nothingLeft}42\n30 120\nsrc\n`,
  );
  assertEquals(read, `[TerminalRead] Session output fetched.\n${state(true, "None")}\n${nothingLeft}`);
  assert(
    interrupted!.startsWith(
      `[TerminalInterrupt] Sent Ctrl-C to terminal session.\n${state(true, "None")}\n${nothingLeft}`,
    ),
    interrupted,
  );
  assertMatch(
    exited!,
    /^\[TerminalWrite\] Session updated\.\nsession_id: term_1\nalive: false\nreturncode: 4\n/,
  );
  assertEquals(killed, `[TerminalKill] Terminal session terminated.\n${state(false, "4")}`);
  assertEquals(code, 0);
});

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

Deno.test("terminal tools refuse what cannot be", async () => {
  using scene = makeScene({ "ws/a.txt": "" });
  const session_id = "term_1";
  const table: [string, Record<string, unknown>, string, string][] = [
    ["TerminalStart", { rows: 0 }, "invalid_input", "[TerminalStart] rows and cols must both be > 0."],
    ["TerminalStart", { shell: "no-such" }, "not_found", "[TerminalStart] Shell not found: no-such"],
    [
      "TerminalStart",
      { cwd: "a.txt" },
      "invalid_input",
      `[TerminalStart] Working directory is not a directory: ${scene.ws}/a.txt`,
    ],
    [
      "TerminalStart",
      { cwd: "/etc" },
      "permission_denied",
      `[TerminalStart] Working directory is limited to the workspace root: ${scene.ws} (/etc lies outside; ` +
      "pass --allow-read=/etc to grant it)",
    ],
    ["TerminalWrite", { session_id }, "invalid_input", "[TerminalWrite] Missing required parameter: input"],
    [
      "TerminalWrite",
      { session_id, input: "x", yield_time_ms: -1 },
      "invalid_input",
      "[TerminalWrite] yield_time_ms must be >= 0.",
    ],
    [
      "TerminalRead",
      { session_id, max_output_chars: 0 },
      "invalid_input",
      "[TerminalRead] max_output_chars must be > 0.",
    ],
    [
      "TerminalRead",
      { session_id, yield_time_ms: "soon" },
      "invalid_input",
      "[TerminalRead] yield_time_ms and max_output_chars must be integers.",
    ],
    ["TerminalRead", { session_id }, "not_found", "[TerminalRead] Session not found: term_1"],
    ["TerminalInterrupt", { session_id }, "not_found", "[TerminalInterrupt] Session not found: term_1"],
    ["TerminalKill", { session_id }, "not_found", "[TerminalKill] Session not found: term_1"],
  ];
  const calls = table.map(([tool, input]) => ({ tool, arguments: input }));
  const { answers } = await scene.batch(calls, ANYWHERE);
  assertEquals(
    answers.map(({ error, text }) => [error?.code, text]),
    table.map(([, , code, text]) => [code, text]),
  );
});

terminalTest("what is typed into a terminal is checked", async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch);
    const { error, text } = await terminal.call("TerminalWrite", { input: "sudo id" });
    assertEquals(error?.code, "denied_by_policy");
    assert(text.startsWith("[TerminalWrite] Blocked by safety policy: "), text);
    await terminal.type("echo $((40 + 2))\n", "42");
  });
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

terminalTest("TerminalInterrupt interrupts what runs in front; the shell stays", async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch);
    using sleepers = makeSleepers();
    await terminal.type(`x=5; echo g''o; ${sleepers.words}\n`, "go");
    await sleepers.run(1);
    assertEquals((await terminal.call("TerminalInterrupt")).ok, true);
    await sleepers.gone();
    await terminal.type('echo "code $?, x $x"\n', "code 130, x 5");
  });
});

for (const [place, flags] of Object.entries(PLACES)) {
  terminalTest(`nothing that runs in a terminal outlives its batch, ${place}`, async () => {
    using scene = makeScene();
    using sleepers = makeSleepers();
    const { words } = sleepers;
    await inBatch(scene, flags, async (batch) => {
      const terminal = await Terminal.open(batch);
      await terminal.press(`(trap '' HUP INT TERM; exec setsid ${words}) & ${words} & ${words}\n`);
      await sleepers.run(3);
    });
    await sleepers.gone();
  });

  terminalTest(`a terminal does not outlive a killed program, ${place}`, async () => {
    using scene = makeScene();
    using sleepers = makeSleepers();
    const { words } = sleepers;
    const batch = converse(scene, flags);
    const terminal = await Terminal.open(batch);
    // Without a box, nobody is left to end what does not heed the hangup.
    const stubborn = flags.length === 0 ? `(trap '' HUP INT TERM; exec setsid ${words}) &` : "";
    await terminal.press(`${stubborn} ${words}\n`);
    await sleepers.run(stubborn === "" ? 1 : 2);
    await batch.kill();
    await sleepers.gone();
  });

  terminalTest(`TerminalKill ends what heeds no signal, ${place}`, async () => {
    using scene = makeScene();
    await inBatch(scene, flags, async (batch) => {
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
}

/** Descriptors and processes of a process; one that cleans up after a terminal may be among them for a moment. */
function held(pid: number): [descriptors: number, processes: number] {
  const { stdout } = new Deno.Command("/bin/sh", { args: ["-c", `ls /proc/${pid}/fd | wc -l`] }).outputSync();
  return [Number(new TextDecoder().decode(stdout)), descendants(pid).length];
}

terminalTest("a read returns when output pauses, when the program ends, or when its time is up", async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch);
    const write = (input: string, yield_time_ms: number) =>
      terminal.call("TerminalWrite", { input, yield_time_ms });
    const quiet = await write("echo hello", 60_000);
    assertEquals(outputOf(quiet), "hello\n");
    const early = await write("sleep 300", 300);
    assertEquals([outputOf(early), early.metadata.duration_ms >= 290], ["", true]);
    await terminal.call("TerminalInterrupt");
    const exited = await write("exec true", 60_000);
    assertEquals((exited.result as { alive: boolean }).alive, false);
    const after = await terminal.call("TerminalRead", { yield_time_ms: 60_000 });
    for (const { metadata } of [quiet, early, exited, after]) assert(metadata.duration_ms < 30_000);
  });
});

Deno.test("a terminal of another toolset, or of nobody, is not found", async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    assertEquals((await batch.call("manus/bash", { command: "echo mine" })).text, "mine");
    for (const session_id of ["prog_1", "term_1", "", "../term_1"]) {
      const { error, text } = await batch.call("TerminalRead", { session_id });
      assertEquals([error?.code, text], ["not_found", `[TerminalRead] Session not found: ${session_id}`]);
    }
    assertEquals((await batch.call("manus/bash", { command: "echo still" })).text, "still");
  });
});

terminalTest("of what nobody reads the newest stays", async () => {
  using scene = makeScene();
  await inBatch(scene, ANYWHERE, async (batch) => {
    const terminal = await Terminal.open(batch);
    await terminal.press("seq 1 100000; touch done\n");
    await until("the last number", () => scene.exists("ws/done"), PATIENT);
    const first = await terminal.call("TerminalRead", { max_output_chars: 10 });
    const read = first.result as Record<string, number | string | boolean>;
    assertEquals([String(read.output).length <= 10, read.truncated], [true, true]);
    assert(Number(read.dropped_output_chars) > 0 && Number(read.remaining_output_chars) > 0, first.text);
    let rest = "";
    while (!rest.endsWith("\n99999\n100000\n")) {
      rest += outputOf(await terminal.call("TerminalRead", { max_output_chars: 1_000_000 }));
    }
  });
});
