import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import sandboxShell from "../../../../tools/manus/sandbox_shell.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { type Ran, type Workspace, workspace } from "../../../support/run_tool.ts";

const BOX = ["bwrap", "bash"];

function execute(ws: Workspace, command: string, more: Record<string, unknown> = {}): Promise<Ran> {
  const input = { action: "execute_command", command, blocking: true, ...more };
  return ws.run(sandboxShell, input, { timeoutMs: 120_000 });
}

function ask(ws: Workspace, action: string, session_name?: string, more: Record<string, unknown> = {}) {
  return ws.run(sandboxShell, { action, session_name, ...more });
}

async function completed(ws: Workspace, name: string): Promise<Ran> {
  for (;;) {
    const ran = await ask(ws, "check_command_output", name);
    if (ran.result.completed) return ran;
    await execute(ws, "sleep 0.05");
  }
}

programTest("sandbox_shell() tells real exit codes and what was said, in its order", BOX, async () => {
  await using ws = workspace();
  const table: [string, string, number][] = [
    ["echo a; echo b >&2; echo c", "a\nb\nc\n", 0],
    ["printf 42", "42", 0],
    ["false", "", 1],
    ["(exit 3)", "", 3],
    ["exit 7", "", 7],
    ["echo 'it'\\''s $HOME' `echo x` \\\\", "it's $HOME x \\\n", 0],
    ["cat <<E\n$((1+1)) > # Done\nE", "2 > # Done\n", 0],
  ];
  for (const [command, output, code] of table) {
    const { result, error } = await execute(ws, command, { timeout: 20 });
    const seen = [error, result?.output, result?.exit_code, result?.completed];
    assertEquals(seen, [null, output, code, true], command);
  }
});

programTest("sandbox_shell() says that a command still runs, and later how it ended", BOX, async () => {
  await using ws = workspace();
  const command = "echo early; while ! [ -e go ]; do sleep 0.05; done; echo late; exit 5";
  const late = await execute(ws, command, { session_name: "s", timeout: 4 });
  assertEquals([late.result.output, late.result.completed, late.result.exit_code], ["early\n", false, null]);
  const running = await ask(ws, "check_command_output", "s");
  assertEquals([running.result.output, running.result.status], ["early\n", "Session still running."]);
  const busy = await execute(ws, "echo no", { session_name: "s" });
  assertEquals(busy.error?.code, "conflict");
  await execute(ws, "touch go");
  const { result } = await completed(ws, "s");
  assertEquals(result, {
    output: "early\nlate\n",
    session_name: "s",
    status: "Session terminated.",
    completed: true,
    exit_code: 5,
  });
});

programTest("sandbox_shell() leaves a command to itself, and ends it with its session", BOX, async () => {
  await using ws = workspace();
  const sent = await execute(ws, "echo $$; sleep 1000", { session_name: "long", blocking: false });
  assertEquals(sent.text.split("\n"), [
    "{",
    '  "session_name": "long",',
    '  "cwd": "/workspace",',
    '  "message": "Command sent to tmux session \'long\'. Use check_command_output to view results.",',
    '  "completed": false',
    "}",
  ]);
  const { text } = await ask(ws, "list_commands");
  assertEquals(JSON.parse(text), { message: "Found 1 active sessions.", sessions: ["long"] });
  const ended = await ask(ws, "terminate_command", "long");
  assertEquals(ended.result, { message: "Tmux session 'long' terminated successfully." });
  const none = { message: "No active tmux sessions found.", sessions: [] };
  assertEquals((await ask(ws, "list_commands")).result, none);
  for (const action of ["check_command_output", "terminate_command"]) {
    const gone = await ask(ws, action, "long");
    assertEquals([gone.error?.code, gone.text], ["not_found", "Error: Tmux session 'long' does not exist."]);
  }
});

programTest(
  "sandbox_shell() keeps a named shell, and ends a nameless one after its command",
  BOX,
  async () => {
    await using ws = workspace();
    const n = { session_name: "n" };
    await execute(ws, "tea=green; mkdir -p a/b; cd a", n);
    assertEquals((await execute(ws, "echo $tea $PWD", n)).result.output, "green /workspace\n");
    const { result } = await execute(ws, "pwd", { ...n, folder: "/workspace/a/b" });
    assertEquals(result.cwd, "/workspace/a/b");
    assertEquals((await execute(ws, "pwd; echo $tea", { folder: "a" })).result.output, "/workspace/a\n\n");
    assertEquals((await ask(ws, "list_commands")).result.sessions, ["n"]);
    const killed = await ask(ws, "check_command_output", "n", { kill_session: true });
    assertEquals(killed.result.status, "Session terminated.");
    assertEquals((await ask(ws, "list_commands")).result.sessions, []);
  },
);

programTest("sandbox_shell() refuses what cannot be", BOX, async () => {
  await using ws = workspace();
  const execute_command = { action: "execute_command", command: "pwd" };
  const table: [Record<string, unknown>, string, RegExp][] = [
    [{ action: "execute_command" }, "invalid_input", /^command is required for execute_command$/],
    [{ ...execute_command, folder: "../etc" }, "invalid_input", /outside of \/workspace/],
    [{ ...execute_command, folder: "none" }, "not_found", /'none'.*No such file/],
    [{ ...execute_command, command: "a\0b" }, "invalid_input", /null byte/],
    [{ ...execute_command, session_name: "a\nb" }, "invalid_input", /session_name/],
    [{ action: "check_command_output" }, "invalid_input", /^session_name is required/],
    [{ action: "terminate_command", session_name: "x" }, "not_found", /^Tmux session 'x' does not exist\.$/],
    [{ ...execute_command, command: "sudo id" }, "denied_by_policy", /sudo/],
  ];
  for (const [input, code, message] of table) {
    const { error } = await ws.run(sandboxShell, input);
    assertEquals(error?.code, code, JSON.stringify(input));
    assertMatch(error?.message ?? "", message);
  }
  assertEquals((await ask(ws, "list_commands")).result.sessions, []);
});

programTest("sandbox_shell() shows no file of the user, and keeps its own", BOX, async () => {
  await using ws = workspace({ "secret.txt": "mine" });
  const seen = await execute(
    ws,
    `cat ${ws.at("secret.txt")}; ls -a /workspace; ls ${ws.path}; echo x > kept`,
  );
  assert(!seen.result.output.includes("mine"));
  assertMatch(seen.result.output, /No such file/);
  const listed = await execute(ws, "cat kept; ls /home /root /var 2>&1 | grep -v 'No such' | wc -l");
  assertEquals(listed.result.output, "x\n0\n");
  const made = "git init -q r && echo '#!/bin/sh' > r/.git/hooks/pre-commit && echo K=1 > .env";
  assertEquals((await execute(ws, made)).result.exit_code, 0);
  const again = await execute(ws, "cat .env; ls r/.git/hooks/pre-commit");
  assertEquals(again.result.output, "K=1\nr/.git/hooks/pre-commit\n");
  assertStringIncludes(ws.read(".apart/.env"), "K=1");
});

programTest("sandbox_shell() keeps the start and the end of long output", BOX, async () => {
  await using ws = workspace();
  const { result } = await execute(ws, "seq 1 200000");
  assertMatch(
    result.output,
    /^1\n2\n[^]*\n\[output truncated: \d+ (?:characters|bytes) omitted\]\n[^]*\n200000\n$/,
  );
  assert(result.output.length < 110_000);
});
