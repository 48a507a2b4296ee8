import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { terminalCommand } from "../../../../../runtime/programs/process/terminal.ts";
import type { Launch } from "../../../../../runtime/programs/launch/launch.ts";
import { placedTest, type ProgramScene, programScene } from "../../../../support/program_scene.ts";

const waitMs = 60_000;
/** Bash tells terminals that it takes pasted text now. */
const SHELL_READS = "\x1b[?2004h";
const systemPrograms = findSystemPrograms("/usr/bin:/bin");
const hasTerminals = systemPrograms.script !== null;

const terminalTest = placedTest("A terminal", { needs: hasTerminals });

async function openTerminal({ host, call }: ProgramScene, argv = ["bash", "--noprofile", "--norc"]) {
  const env = { PS1: "", TERM: "xterm" };
  const { id, pid } = await host.open({ argv, env, terminal: { rows: 33, cols: 99 } }, call());
  return {
    id,
    pid,
    write: (data: string) => host.write(id, data, call()),
    /** Reads up to a text; fails if it does not come. */
    async readUntil(until: string): Promise<string> {
      const { stdout, found } = await host.read(id, { waitMs, until }, call());
      assert(found, `${JSON.stringify(until)} did not come, but ${JSON.stringify(stdout.text)}`);
      return stdout.text.replaceAll(SHELL_READS, "").replaceAll("\x1b[?2004l\r", "");
    },
    close: (graceMs = 0) => host.close(id, { graceMs }, call()),
  };
}

terminalTest("is one, of the size that was asked for, without echo", async (scene) => {
  const terminal = await openTerminal(scene);
  assertEquals(terminal.id, "term_1");
  await terminal.write("stty size; test -t 0 && test -t 1 && test -t 2 && echo is $((40 + 2)) tty\n");
  const output = await terminal.readUntil("is 42 tty\r\n");
  assertEquals(output.trimStart(), "33 99\r\nis 42 tty\r\n");
  await terminal.write('cd /; x=5\necho "$PWD $x" zwölf € 😀 end\n');
  assertEquals((await terminal.readUntil("end\r\n")).trimStart(), "/ 5 zwölf € 😀 end\r\n");
});

terminalTest("shows its program the variables that it was given", async (scene) => {
  const env = { TERM: "xterm", SHELL: "/bin/it's", ODD: "a\n'b' \"$c\" \\" };
  const argv = ["env", "-0"];
  const { id } = await scene.host.open({ argv, env, terminal: { rows: 5, cols: 20 } }, scene.call());
  const { stdout, exitCode } = await scene.host.read(id, { waitMs, until: "never" }, scene.call());
  assertEquals(exitCode, 0);
  const variables = stdout.text.replaceAll("\r\n", "\n").split("\0");
  assert(variables.includes("SHELL=/bin/it's"));
  assert(variables.includes("ODD=a\n'b' \"$c\" \\"));
  assertEquals(variables.filter((variable) => variable.startsWith("BULKHEAD_TERMINAL")), []);
});

terminalTest("passes arguments of any form and length", async (scene) => {
  const odd = ["a b", "", "it's", "$HOME", "`id`", '"', "\\", "new\nline", "-n", "ü€😀"];
  const argv = ["printf", "<%s>", ...odd];
  const { id } = await scene.host.open({ argv, terminal: { rows: 5, cols: 20 } }, scene.call());
  const short = await scene.host.read(id, { waitMs, until: "never" }, scene.call());
  assertEquals(short.stdout.text.replaceAll("\r", ""), odd.map((word) => `<${word}>`).join(""));
  const words = Array.from({ length: 20 }, (_, i) => `${i}${"x".repeat(20_000)}`);
  const count = ["sh", "-c", 'echo $# "$(printf %s "$@" | wc -c)" end', "sh", ...words];
  const long = await scene.host.open({ argv: count, terminal: { rows: 5, cols: 20 } }, scene.call());
  const counted = await scene.host.read(long.id, { waitMs, until: "end" }, scene.call());
  assertEquals(counted.stdout.text, "20 400030 end");
});

terminalTest("interrupts what runs in front behind input that nobody reads", async (scene) => {
  const terminal = await openTerminal(scene);
  // What tells of the start is what waits then: a shell that becomes another program still catches the signal.
  await terminal.write("echo start >text.txt; tail -f text.txt; echo after $((40 + 2))\n");
  await terminal.readUntil("start\r\n");
  await terminal.write("true a line that the shell reads when it is back\n".repeat(3_000));
  await scene.host.signal(terminal.id, "SIGINT", scene.call());
  await terminal.write("\necho code $((6 * 7))\n");
  await terminal.readUntil("code 42\r\n");
});

terminalTest("leaves the keys to programs that read them themselves", async (scene) => {
  const terminal = await openTerminal(scene);
  await terminal.write("sh -c 'stty raw; echo start; od -An -tx1 -N1; stty -raw; echo end'\n");
  await terminal.readUntil("start\n");
  await scene.host.signal(terminal.id, "SIGINT", scene.call());
  assertEquals((await terminal.readUntil("end\r\n")).trimStart(), "03\nend\r\n");
});

terminalTest("hangs up before it kills", async (scene) => {
  const terminal = await openTerminal(scene);
  await terminal.write("trap 'echo bye >left; exit 3' HUP\n");
  await terminal.write("sh -c 'trap \"echo child bye >child; exit\" HUP; echo in front; sleep 60 & wait'\n");
  await terminal.readUntil("in front\r\n");
  const info = await terminal.close(5_000);
  assertEquals([info.exitCode, scene.read("left"), scene.read("child")], [3, "bye\n", "child bye\n"]);
});

terminalTest("does not hang on input that nobody reads", async (scene) => {
  const terminal = await openTerminal(scene);
  await terminal.write("stty raw; echo start; sleep 60\n");
  await terminal.readUntil("start");
  await terminal.write("x".repeat(1_000_000)).catch((error) => assert(error instanceof ToolError));
  assertEquals((await terminal.close()).alive, false);
});

terminalTest("keeps what its screen is drawn from", async (scene) => {
  const { host, call } = scene;
  const { id, readUntil, write } = await openTerminal(scene, ["cat"]);
  await write("one\n");
  await readUntil("one\r\n");
  const first = await host.screen(id, call());
  assertEquals(first, { rows: 33, cols: 99, state: "", output: "one\r\n", incomplete: false, mark: 5 });
  await write("two\n");
  await readUntil("two\r\n");
  await host.keepScreen(id, { state: "drawn", mark: first.mark }, call());
  const second = await host.screen(id, call());
  assertEquals([second.state, second.output, second.mark], ["drawn", "two\r\n", 10]);
  await host.keepScreen(id, { state: "older", mark: 2 }, call());
  assertEquals((await host.screen(id, call())).state, "drawn");
});

terminalTest("says that its screen is incomplete after too much output", async (scene) => {
  const { host, call } = scene;
  const { id, readUntil, write } = await openTerminal(scene);
  await write("seq 1000000 1200000; echo the $((1 + 1))nd end\n");
  await readUntil("2nd end\r\n");
  const source = await host.screen(id, call());
  assertEquals([source.incomplete, source.output.length], [true, 1_048_576]);
  await host.keepScreen(id, { state: "drawn", mark: source.mark }, call());
  const { output, incomplete } = await host.screen(id, call());
  assert("\x1b[?2004h".includes(output), output);
  assertEquals(incomplete, false);
});

const LAUNCH = { argv: ["/bin/sh"], env: {}, startIn: "/", cwd: "/", boxed: false } as unknown as Launch;

Deno.test("terminalCommand() refuses sizes that no terminal has", () => {
  for (const { rows, cols } of [{ rows: 0, cols: 80 }, { rows: 24, cols: 70_000 }, { rows: 1.5, cols: 80 }]) {
    const error = assertThrows(() => terminalCommand(LAUNCH, { rows, cols }, systemPrograms), ToolError);
    assertEquals(error.code, "invalid_input");
    assertEquals(error.message, `A terminal of ${rows} rows and ${cols} columns cannot be made`);
  }
});

Deno.test("terminalCommand() says what to install", () => {
  const without = { ...systemPrograms, script: null };
  const error = assertThrows(() => terminalCommand(LAUNCH, { rows: 24, cols: 80 }, without), ToolError);
  assertEquals(error.code, "unavailable");
  assertMatch(
    error.message,
    /^A terminal needs "script", which is not on the search path: install util-linux/,
  );
});

Deno.test("ProgramHost.screen() needs a terminal", async () => {
  await using scene = programScene({ boxed: false });
  const { id } = await scene.host.open({ argv: ["cat"] }, scene.call());
  const error = await assertRejects(() => scene.host.screen(id, scene.call()), ToolError);
  assertEquals(error.code, "invalid_input");
  assertEquals(error.message, "Session prog_1 has no terminal, so there is no screen");
});
