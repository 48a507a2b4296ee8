import { assertEquals, assertMatch } from "@std/assert";

import bash from "../../../../tools/par/bash.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

Deno.test("bash() returns the document's object, as JSON", async () => {
  await using ws = workspace({ "src/a b.txt": "" });
  const { text, result } = await ws.run(bash, { argv: ["ls", "-1"], cwd: "src", timeout: 30 });
  assertMatch(
    text,
    /^\{"stdout":"a b\.txt\\n","stderr":"","exit_code":0,"duration":\d+(\.\d+)?,"truncated":false\}$/,
  );
  assertEquals(result.stdout, "a b.txt\n");
});

Deno.test("bash() starts a program without a shell", async () => {
  await using ws = workspace();
  const table: [string[], string, number][] = [
    [["echo", "a  b", "$HOME", "*", ";"], "a  b $HOME * ;\n", 0],
    [["false"], "", 1],
    [["bash", "-c", "kill -KILL $$"], "", 137],
    [["cat"], "", 0],
    [["echo", ""], "\n", 0],
  ];
  for (const [argv, stdout, code] of table) {
    const { result } = await ws.run(bash, { argv });
    assertEquals([result.stdout, result.exit_code], [stdout, code], argv.join(" "));
  }
});

Deno.test("bash() refuses what cannot be", async () => {
  await using ws = workspace({ "a.txt": "", "src/b.txt": "" });
  const argv = ["ls"];
  await assertRefuses(ws, bash, "", [
    [{ argv: [] }, "invalid_input", "Cannot run a program: argv names no program"],
    [{ argv: [""] }, "invalid_input", "Cannot run a program: argv names no program"],
    [{ argv: ["a", "b\0"] }, "invalid_input", "Cannot run a program: argv[1] has an embedded null byte"],
    [
      { argv: Array(4097).fill("a") },
      "invalid_input",
      "Cannot run a program: argv has 4097 elements, at most 4096 are possible",
    ],
    [
      { argv, cwd: "a:b" },
      "invalid_input",
      'Cannot use path "a:b": paths with a colon are refused, use a relative path without one',
    ],
    [
      { argv, cwd: "src/../src" },
      "invalid_input",
      'Cannot use path "src/../src": paths with ".." are refused, write it without',
    ],
    [{ argv, cwd: "no..no" }, "not_found", 'No such file or directory: "no..no"'],
    [{ argv, cwd: "a.txt" }, "invalid_input", 'Not a directory: "a.txt"'],
  ]);
  for (const cwd of ["..", "/etc", "src/../../x"]) {
    assertEquals((await ws.run(bash, { argv, cwd })).error?.code, "permission_denied", cwd);
  }
  assertEquals((await ws.run(bash, { argv: ["no-such-program"] })).error?.code, "not_found");
  const { text } = await ws.run(bash, { argv: ["ls -la"] });
  assertMatch(
    text,
    /^Cannot run "ls -la": .*; argv takes each word as an element of its own: \["ls", "-la"\]$/,
  );
});

Deno.test("bash() takes the document's times", async () => {
  await using ws = workspace();
  const table: [number, string[]][] = [
    [600, []],
    [0.9, []],
    [601, ["timeout 601 became 600 seconds"]],
    [0, ["timeout 0 became 30 seconds"]],
    [-5, ["timeout -5 became 30 seconds"]],
  ];
  for (const [timeout, expected] of table) {
    const { ok, warnings } = await ws.run(bash, { argv: ["true"], timeout });
    assertEquals(ok, true);
    assertEquals(warnings.filter((line) => line.startsWith("timeout")), expected);
  }
});

Deno.test("bash() ends a program whose time is up and returns its output so far", async () => {
  await using ws = workspace();
  const argv = ["bash", "-c", "echo part; echo bad >&2; sleep 60"];
  const { error, text } = await ws.run(bash, { argv, timeout: 3 });
  assertEquals(
    text,
    'Cannot finish "bash": it ran longer than 3 s, pass a larger timeout\nstdout:\npart\n\nstderr:\nbad\n',
  );
  assertEquals(error?.code, "timeout");
  assertEquals(error?.details, { stdout: "part\n", stderr: "bad\n", exit_code: 124, timeout_seconds: 3 });
});

Deno.test("bash() cuts streams at 50 KB and at 2000 lines, and says by how much", async () => {
  await using ws = workspace();
  const lines = (await ws.run(bash, { argv: ["seq", "1", "3000"] })).result;
  assertEquals(lines.truncated, true);
  assertMatch(
    lines.stdout,
    /^1\n2\n[^[]*\n1000\n\[truncated: 5000 bytes \/ 1000 lines omitted\]\n2001\n[^[]*\n3000\n$/,
  );
  const bytes = (await ws.run(bash, { argv: ["bash", "-c", "printf %060000d 7 >&2"] })).result;
  assertEquals([bytes.truncated, bytes.stdout], [true, ""]);
  assertMatch(bytes.stderr, /^0{25600}\n\[truncated: 8800 bytes \/ 0 lines omitted\]\n0{25599}7$/);
  const whole = (await ws.run(bash, { argv: ["seq", "1", "2000"] })).result;
  assertEquals([whole.truncated, whole.stdout.endsWith("\n1999\n2000\n")], [false, true]);
});

Deno.test("bash() removes escape sequences", async () => {
  await using ws = workspace();
  const { result } = await ws.run(bash, {
    argv: ["printf", "\\033[1;31mred\\033[0m\\033]0;t\\033\\\\ \\033[5~x\\n"],
  });
  assertEquals(result.stdout, "red x\n");
});
