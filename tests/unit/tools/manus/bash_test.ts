import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "@std/path";

import bash from "../../../../tools/manus/bash.ts";
import { assertRefuses, type Ran, type Workspace, workspace } from "../../../support/run_tool.ts";

const STILL_RUNNING =
  "The command is still running. Send an empty command to get further output, text for its stdin, " +
  "or ctrl+c to interrupt it; restart: true ends it.";
const TYPED = "The text was sent to the stdin of the running command.";
const NOTHING_RUNS = "No command is running.";

function run(ws: Workspace, command: string, timeoutMs = 60_000): Promise<Ran> {
  return ws.run(bash, { command }, { timeoutMs });
}

/** Starts what does not end by itself; a short call comes back while it runs. */
async function leave(ws: Workspace, command: string): Promise<Ran> {
  await run(ws, "true");
  const ran = await run(ws, command, 2000);
  assertEquals(ran.result.exit_code, -1);
  return ran;
}

/** Waits for a file that a program makes. */
async function appears(path: string): Promise<void> {
  using watcher = Deno.watchFs(dirname(path));
  for (const events = watcher[Symbol.asyncIterator](); !exists(path);) await events.next();
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test("bash() shows stdout, stderr and exit code", async () => {
  await using ws = workspace({ "a.txt": "one\n" });
  const table: [string, string][] = [
    ["cat a.txt", "one"],
    ["printf abc", "abc"],
    ["true", ""],
    ["false", "exit code: 1"],
    ["echo $?", "1"],
    ["echo out; echo err >&2", "out\nstderr:\nerr"],
    ["echo err >&2; (exit 3)", "stderr:\nerr\nexit code: 3"],
    ["echo 'two'; echo", "two\n"],
    ["echo a # comment", "a"],
    ["cat <<E\nhello 'x'\nE", "hello 'x'"],
    ["for i in 1 2\ndo\n  echo $i\ndone", "1\n2"],
    ["echo !! 'it'\\''s' \\\\", "!! it's \\"],
    ["history", ""],
    ["set -x; echo q; { set +x; } 2>/dev/null", "q\nstderr:\n++ echo q"],
    ["no_such_program_here 2>/dev/null", "exit code: 127"],
    ["echo ünï", "ünï"],
  ];
  for (const [command, expected] of table) assertEquals((await run(ws, command)).text, expected, command);
});

Deno.test("bash() keeps folder, variables and functions", async () => {
  await using ws = workspace({ "src/a.txt": "" });
  await run(ws, "cd src; x=5; f() { echo f$x; }");
  assertEquals((await run(ws, "pwd; f")).text, `${ws.at("src")}\nf5`);
});

Deno.test("bash() bears what would confuse a shell that is fed lines", async () => {
  await using ws = workspace();
  const table: [string, RegExp][] = [
    ["if", /^stderr:\n.*syntax error.*\nexit code: 2$/],
    ["echo 'open", /unexpected EOF.*[^]*\nexit code: 2$/],
    ["cat <<E\nno end", /^no end\nstderr:\n.*here-document/],
    ["sleep 60 &", /^stderr:\n\[1\] \d+$/],
    ["exec 2>&1; echo both >&2; exec 2>&199", /^both$/],
    ["declare -p PROMPT_COMMAND | wc -l", /^1$/],
    [
      "head -c 300000 /dev/zero | tr '\\0' x",
      /^x{25600}\n\[output truncated: 248\d\d\d bytes omitted\]\nx+$/,
    ],
  ];
  for (const [command, expected] of table) {
    assertMatch((await run(ws, command)).text, expected);
    assertEquals((await run(ws, "echo fine")).text, "fine", `after ${command}`);
  }
});

Deno.test("bash() bears commands that change the prompt", async () => {
  await using ws = workspace();
  for (
    const command of [
      "PS1='(env) ' PS2=more",
      "PROMPT_COMMAND=; PS1=x",
      "unset PROMPT_COMMAND",
      "PROMPT_COMMAND='echo hook'; PS1=y; (exit 0)",
    ]
  ) {
    assertEquals((await run(ws, command)).text, "", command);
    assertEquals((await run(ws, "echo fine; (exit 3)")).text, "fine\nexit code: 3", `after ${command}`);
  }
});

Deno.test("bash() leaves a slow command running; empty commands get further output", async () => {
  await using ws = workspace();
  const first = await leave(ws, "echo one; read -r line; echo two");
  assertEquals(first.text, `one\nexit code: -1\n${STILL_RUNNING}`);
  assertEquals((await run(ws, "", 2000)).text, `exit code: -1\n${STILL_RUNNING}`);
  assertEquals((await run(ws, "go")).text, `two\n${TYPED}`);
  assertEquals((await run(ws, "")).text, NOTHING_RUNS);
});

Deno.test("bash() sends text to the stdin of what runs", async () => {
  await using ws = workspace();
  await leave(ws, "cat; echo end");
  const typed = await run(ws, "hello");
  assertEquals(typed.text, `hello\nexit code: -1\n${TYPED} ${STILL_RUNNING}`);
  const stopped = await run(ws, "ctrl+c");
  assertEquals(stopped.text, "exit code: 130\nThe running command has ended.");
  assertEquals((await run(ws, "echo fine")).text, "fine");
});

Deno.test("bash() says that nobody reads what it sends", async () => {
  await using ws = workspace();
  await leave(ws, "sleep 300");
  const { error, text } = await run(ws, "x".repeat(5_000_000));
  assertEquals([error?.code, text], [
    "unavailable",
    "Error: The running command does not read its stdin, and not all of the text was sent: " +
    "send ctrl+c to interrupt it, or restart: true to end it",
  ]);
  assertEquals((await run(ws, "ctrl+c")).result.exit_code, 130);
  assertEquals((await run(ws, "echo fine")).text, "fine");
});

Deno.test("bash() does not take typed text that nobody read for a command", async () => {
  await using ws = workspace();
  await leave(ws, "read -r line; echo got $line; sleep 2");
  await run(ws, "one\ntouch leaked\n");
  await run(ws, "");
  assertEquals((await run(ws, "ls; echo end")).result.output.split("\n").at(-1), "end");
  assertEquals((await run(ws, "ls")).result.output, "");
});

Deno.test("bash() interrupts loops, and leaves what runs in the background", async () => {
  await using ws = workspace();
  await run(ws, "sleep 300 & pid=$!");
  for (
    const loop of ["while :; do sleep 1; done", "while :; do :; done", "for i in 1 2 3; do sleep 9; done"]
  ) {
    await leave(ws, loop);
    assertEquals((await run(ws, "ctrl+c")).result.exit_code, 130, loop);
  }
  assertEquals((await run(ws, "kill -0 $pid && echo alive")).result.output, "alive");
});

Deno.test("bash() tells how a command ended that was running before", async () => {
  await using ws = workspace();
  const command = (name: string) =>
    `until [ -e go-${name} ]; do sleep 0.05; done; (sleep 0.5; touch ${name}) >/dev/null 2>&1 & echo late; (exit 4)`;
  const endsAlone = async (name: string) => {
    await leave(ws, command(name));
    Deno.writeTextFileSync(ws.at(`go-${name}`), "");
    await appears(ws.at(name));
  };
  await endsAlone("first");
  const polled = await run(ws, "");
  assertEquals([polled.result.output, polled.result.exit_code], ["late", 4]);
  assertEquals(polled.result.system, "The running command has ended.");
  await endsAlone("second");
  const next = await run(ws, "echo next");
  assertEquals([next.result.output, next.result.exit_code], ["late\nnext", 0]);
  assertEquals(
    next.result.system,
    "The running command has ended. Its exit code was 4; its output stands first.",
  );
});

Deno.test("bash() says that nothing runs", async () => {
  await using ws = workspace();
  assertEquals((await run(ws, "")).text, NOTHING_RUNS);
  assertEquals((await run(ws, "ctrl+c")).text, NOTHING_RUNS);
  await run(ws, "true");
  assertEquals((await run(ws, "ctrl+c")).text, NOTHING_RUNS);
  assertEquals((await run(ws, "echo fine")).text, "fine");
});

Deno.test("bash() does not take a command that was refused for one that runs", async () => {
  await using ws = workspace();
  await run(ws, "true");
  for (
    const [command, text] of [["", NOTHING_RUNS], ["ctrl+c", NOTHING_RUNS], ["echo fine", "fine"]] as const
  ) {
    assertEquals((await run(ws, "sudo id")).error?.code, "denied_by_policy");
    assertEquals((await run(ws, command)).text, text);
  }
});

Deno.test("bash() tells of a shell that has ended until it is restarted", async () => {
  await using ws = workspace();
  await run(ws, "x=5");
  const ended = await run(ws, "echo bye; exit 3");
  const words = "stderr:\nbash has exited with returncode 3\nexit code: 3\ntool must be restarted";
  assertEquals(ended.text, `bye\n${words}`);
  const unrun = await run(ws, "touch made");
  assertEquals(unrun.error?.code, "conflict");
  assertMatch(unrun.text, /Nothing was run: bash has exited with returncode 3; send restart: true/);
  assertEquals((await run(ws, "")).text, NOTHING_RUNS);
  assertEquals((await ws.run(bash, { restart: true })).text, "tool has been restarted.");
  assertEquals((await run(ws, 'echo "[$x]"')).text, "[]");
});

Deno.test("bash() ends everything at a restart", async () => {
  await using ws = workspace();
  await leave(ws, "sleep 300");
  const { result, warnings } = await ws.run(bash, { command: "touch made", restart: true });
  assertEquals(warnings, ["A restart runs no command: send it with the next call"]);
  assertEquals(result, { output: "", error: null, system: "tool has been restarted.", exit_code: null });
  assertEquals((await run(ws, "ls; echo fine")).text, "fine");
});

Deno.test("bash() refuses a call without a command, and describes how to interrupt one", async () => {
  await using ws = workspace();
  await assertRefuses(ws, bash, "Error: ", [
    [{}, "invalid_input", "no command provided."],
    [{ command: "a\0" }, "invalid_input", "Cannot execute the command: embedded null byte"],
  ]);
  assert(bash.description.includes("ctrl+c"));
});
