import { assert, assertEquals, assertMatch } from "@std/assert";

import TerminalInterrupt from "../../../../tools/harness/terminal_interrupt.ts";
import TerminalKill from "../../../../tools/harness/terminal_kill.ts";
import TerminalRead from "../../../../tools/harness/terminal_read.ts";
import TerminalStart from "../../../../tools/harness/terminal_start.ts";
import TerminalWrite from "../../../../tools/harness/terminal_write.ts";
import { programTest } from "../../../support/needed_programs.ts";
import {
  assertRefuses,
  type Ran,
  type Refusal,
  type Workspace,
  workspace,
} from "../../../support/run_tool.ts";

/** Long enough for a busy machine; output that pauses comes back sooner. */
const PATIENT = { yield_time_ms: 4000 };

/** Registers a test that needs terminals, which `script` of util-linux makes. */
function terminalTest(name: string, run: () => Promise<void>): void {
  programTest(name, ["script"], run);
}

async function start(ws: Workspace, input: Record<string, unknown> = {}): Promise<string> {
  const { ok, text, result } = await ws.run(TerminalStart, input);
  assertEquals(ok, true, text);
  return result.session_id;
}

function write(ws: Workspace, session_id: string, input: string, more: Record<string, unknown> = {}) {
  return ws.run(TerminalWrite, { session_id, input, ...PATIENT, ...more });
}

/** Writes, and reads until a text has come. */
async function expectOutput(ws: Workspace, id: string, input: string, expected: string): Promise<string> {
  let { output } = (await write(ws, id, input)).result;
  for (let turn = 0; turn < 20 && !output.includes(expected); turn++) {
    output += (await ws.run(TerminalRead, { session_id: id, yield_time_ms: 500 })).result.output;
  }
  assert(output.includes(expected), JSON.stringify(output));
  return output;
}

function linesOf({ text }: Ran): string[] {
  return text.split("\n");
}

terminalTest("Terminal tools show a session line by line as the document does", async () => {
  await using ws = workspace();
  const started = await ws.run(TerminalStart, {});
  const { session_id, pid } = started.result;
  assertEquals(linesOf(started), [
    "[TerminalStart] Started terminal session.",
    `session_id: ${session_id}`,
    `pid: ${pid}`,
    `cwd: ${ws.path}`,
    "shell: bash",
    "alive: true",
    "returncode: None",
  ]);
  const written = await write(ws, session_id, "echo $((40 + 2))");
  assertEquals(linesOf(written), [
    "[TerminalWrite] Session updated.",
    `session_id: ${session_id}`,
    "alive: true",
    "returncode: None",
    "truncated: false",
    "remaining_output_chars: 0",
    "dropped_output_chars: 0",
    "output:",
    "42",
    "",
  ]);
  const killed = await ws.run(TerminalKill, { session_id });
  assertEquals(linesOf(killed).slice(0, -1), [
    "[TerminalKill] Terminal session terminated.",
    `session_id: ${session_id}`,
    "alive: false",
  ]);
  assertMatch(killed.text, /\nreturncode: \d+$/);
});

terminalTest("Terminal keeps folder and variables between calls", async () => {
  await using ws = workspace({ "src/a.txt": "" });
  const id = await start(ws);
  await write(ws, id, "cd src; x=5");
  const output = await expectOutput(ws, id, 'echo "$x-$(basename "$PWD")"', "5-src");
  assert(!output.includes("echo"), "what is typed is not echoed");
});

terminalTest("TerminalWrite() waits for output, not for what the shell tells the terminal", async () => {
  await using ws = workspace();
  const id = await start(ws);
  const { result } = await write(ws, id, "sleep 1; echo late", { yield_time_ms: 20_000 });
  assertEquals(result.output, "late\n");
});

terminalTest("TerminalWrite() warns of a line that terminals cut", async () => {
  await using ws = workspace();
  const id = await start(ws);
  const short = await write(ws, id, `: ${"é".repeat(2000)}\n: ${"x".repeat(4000)}`, { yield_time_ms: 0 });
  const long = await write(ws, id, `: ${"é".repeat(2100)}`, { yield_time_ms: 0 });
  const cut = (lines: string[]) =>
    lines.filter((line) => line.startsWith("A line is longer than 4095 bytes"));
  assertEquals([cut(short.warnings).length, cut(long.warnings).length], [0, 1]);
});

terminalTest("TerminalWrite() sends a line end only if asked to", async () => {
  await using ws = workspace();
  const id = await start(ws);
  await write(ws, id, "echo a", { append_newline: false, yield_time_ms: 50 });
  await expectOutput(ws, id, "b", "ab");
});

terminalTest("TerminalStart() gives the terminal its size and type, and the shell no prompt", async () => {
  await using ws = workspace();
  const id = await start(ws, { rows: 10, cols: 50 });
  await expectOutput(ws, id, 'stty size; echo "$TERM:$PS1:"', "10 50\nxterm-256color::");
  assertEquals(await expectOutput(ws, id, "for i in 1 2\ndo echo $i\ndone", "2"), "1\n2\n");
});

terminalTest("Terminal view: text resolves what was written over, raw leaves all", async () => {
  await using ws = workspace();
  const id = await start(ws);
  const command = String.raw`printf '\033[31mred\033[0m 1%%\r\033[31mred\033[0m 2%%\n'`;
  const text = await expectOutput(ws, id, command, "red 2%");
  assertEquals(text, "red 2%\n");
  const { result } = await write(ws, id, command, { view: "raw" });
  assert(
    result.output.includes("\x1b[31mred\x1b[0m 1%\r\x1b[31mred\x1b[0m 2%\r\n"),
    JSON.stringify(result.output),
  );
});

terminalTest("Terminal view: text waits for the rest of an escape sequence", async () => {
  await using ws = workspace();
  const id = await start(ws);
  await write(ws, id, String.raw`printf 'abc\033[31'; sleep 0.5; printf 'mred\n'; echo done`, {
    yield_time_ms: 100,
  });
  const output = await expectOutput(ws, id, "", "done");
  assert(!output.includes("31"), JSON.stringify(output));
});

terminalTest("Terminal view: screen shows what stands there now", async () => {
  await using ws = workspace();
  const id = await start(ws, { rows: 5, cols: 20 });
  const command = String.raw`printf '\033[2J\033[1;1Hold\033[3;5Hmid\033[1;1Hnew\033[4;1H'`;
  const first = await write(ws, id, command, { view: "screen" });
  assertEquals(first.result.output, "new\n\n    mid");
  const second = await write(ws, id, String.raw`printf '\033[3;5Hend\033[4;1H'`, { view: "screen" });
  assertEquals(second.result.output, "new\n\n    end");
});

terminalTest("Terminal reads give at most what is asked for; the rest stays", async () => {
  await using ws = workspace();
  const id = await start(ws);
  await write(ws, id, "seq 1 1000", { max_output_chars: 10, view: "raw" });
  const { result } = await ws.run(TerminalRead, { session_id: id, max_output_chars: 10, view: "raw" });
  assertEquals([result.output.length, result.truncated], [10, true]);
  assert(result.remaining_output_chars > 4000);
  const rest = await ws.run(TerminalRead, { session_id: id });
  assertEquals(rest.result.truncated, false);
  assertMatch(rest.result.output, /\n999\n1000\n/);
});

terminalTest("TerminalInterrupt() interrupts the program in front; the shell stays", async () => {
  await using ws = workspace();
  const id = await start(ws);
  await expectOutput(ws, id, "x=1; echo go; sleep 300", "go");
  const interrupted = await ws.run(TerminalInterrupt, { session_id: id });
  assertEquals(linesOf(interrupted)[0], "[TerminalInterrupt] Sent Ctrl-C to terminal session.");
  assertEquals(interrupted.result.alive, true);
  await expectOutput(ws, id, 'echo "still $x"', "still 1");
});

terminalTest("Terminal tools tell of a shell that has ended", async () => {
  await using ws = workspace();
  const id = await start(ws);
  await write(ws, id, "exit 4");
  const { result } = await ws.run(TerminalRead, { session_id: id, ...PATIENT });
  assertEquals([result.alive, result.returncode], [false, 4]);
  const written = await write(ws, id, "x");
  const not = `session ${id}: session is not running`;
  assertEquals([written.error?.code, written.text], [
    "conflict",
    `[TerminalWrite] Failed to write to ${not}`,
  ]);
  const interrupted = await ws.run(TerminalInterrupt, { session_id: id });
  assertEquals(interrupted.text, `[TerminalInterrupt] Failed to interrupt ${not}`);
  const killed = await ws.run(TerminalKill, { session_id: id });
  assertEquals([killed.ok, killed.result.returncode], [true, 4]);
});

terminalTest("TerminalStart() says that a shell died at once, and why", async () => {
  await using ws = workspace({ "dies.sh": "#!/bin/sh\necho no such luck\nexit 7\n" });
  Deno.chmodSync(ws.at("dies.sh"), 0o755);
  const startOnce = () => ws.run(TerminalStart, { shell: "./dies.sh" });
  let { text, result } = await startOnce();
  // On a busy machine it may die after the answer.
  for (let turn = 0; turn < 20 && result.alive; turn++) ({ text, result } = await startOnce());
  assertEquals([result.alive, result.returncode], [false, 7]);
  assertMatch(text, /\nalive: false\nreturncode: 7\noutput:\nno such luck\n$/);
});

terminalTest("TerminalStart() starts other shells without options of bash", async () => {
  await using ws = workspace();
  const id = await start(ws, { shell: "sh" });
  await expectOutput(ws, id, "echo $((1 + 1))", "2");
  assertEquals((await ws.run(TerminalKill, { session_id: id, force: true })).result.alive, false);
});

Deno.test("Terminal tools refuse what cannot be, in the document's words", async () => {
  await using ws = workspace({ "a.txt": "" });
  const session_id = "term_99";
  const none = [{ session_id }, "not_found", `Session not found: ${session_id}`] as const;
  const input = { session_id, input: "x" };
  const table: [{ name: string }, ...Refusal][] = [
    [TerminalStart, { rows: 0 }, "invalid_input", "rows and cols must both be > 0."],
    [TerminalStart, { cols: -1 }, "invalid_input", "rows and cols must both be > 0."],
    [TerminalStart, { rows: 1001 }, "invalid_input", "rows and cols must both be <= 1000."],
    [TerminalStart, { shell: "no-such-shell" }, "not_found", "Shell not found: no-such-shell"],
    [TerminalStart, { cwd: "no" }, "not_found", `Working directory does not exist: ${ws.at("no")}`],
    [
      TerminalStart,
      { cwd: "a.txt" },
      "invalid_input",
      `Working directory is not a directory: ${ws.at("a.txt")}`,
    ],
    [TerminalWrite, input, none[1], none[2]],
    [TerminalWrite, { ...input, yield_time_ms: -1 }, "invalid_input", "yield_time_ms must be >= 0."],
    [TerminalRead, { session_id, max_output_chars: 0 }, "invalid_input", "max_output_chars must be > 0."],
    [TerminalRead, ...none],
    [TerminalInterrupt, ...none],
    [TerminalKill, ...none],
  ];
  for (const [tool, ...refusal] of table) await assertRefuses(ws, tool, `[${tool.name}] `, [refusal]);
});
