import { assert, assertEquals, assertMatch } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { programTest } from "../../support/needed_programs.ts";
import { type Call, makeScene } from "../../support/cli/scene.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { ANYWHERE, inBatch, PLACES } from "../../support/cli/terminal.ts";

const STILL_RUNNING =
  "The command is still running. Send an empty command to get further output, text for its stdin, " +
  "or ctrl+c to interrupt it; restart: true ends it.";
const TYPED = "The text was sent to the stdin of the running command.";

/** Calls of one tool, each with the text that it must give. */
type Table = readonly (readonly [input: Record<string, unknown>, text: string | RegExp])[];

async function expectTexts(tool: string, table: Table, flags: readonly string[] = []): Promise<void> {
  using scene = makeScene({ "ws/a.txt": "one\n", "ws/src/b.txt": "" });
  const calls: Call[] = table.map(([input]) => ({ tool, arguments: input }));
  const { answers } = await scene.batch(calls, [...ANYWHERE, ...flags], { timeoutMs: 120_000 });
  for (const [index, [input, expected]] of table.entries()) {
    const { text = "no answer" } = answers[index] ?? {};
    if (typeof expected === "string") assertEquals(text, expected, JSON.stringify(input));
    else assertMatch(text, expected, JSON.stringify(input).slice(0, 200));
  }
}

Deno.test("Bash shows what a command gave, and says what is wrong with a call", async () => {
  await expectTexts("Bash", [
    [{ command: "true" }, "exit_code: 0"],
    [{ command: "cat a.txt; echo bad >&2; exit 3" }, "exit_code: 3\nstdout:\none\n\nstderr:\nbad\n"],
    [{ command: "cat; basename $PWD", workdir: "src" }, "exit_code: 0\nstdout:\nsrc\n"],
    [{ command: "cat <<E\n$((40 + 2))\nE" }, "exit_code: 0\nstdout:\n42\n"],
    [{ command: "echo 'open" }, /^exit_code: 2\nstderr:\nbash: .*unexpected EOF/],
    [
      { command: "no-such-program" },
      "exit_code: 127\nstderr:\nbash: line 1: no-such-program: command not found\n",
    ],
    [{ command: "kill -9 $$" }, "exit_code: 137"],
    [{ command: "sleep 300 & echo started" }, "exit_code: 0\nstdout:\nstarted\n"],
    [{ command: "exec printf é" }, "exit_code: 0\nstdout:\né"],
    [
      { command: "printf 'a\\0b'" },
      "exit_code: 0\nstdout:\n[binary output omitted: 3 bytes. Use file or a format-aware reader, or redirect it into a file.]",
    ],
    [
      { command: "printf 'a\\377'; printf '\\376' >&2" },
      "exit_code: 0\nstdout:\n[non-UTF-8 bytes decoded with replacement characters]\na\uFFFD\n" +
      "stderr:\n[non-UTF-8 bytes decoded with replacement characters]\n\uFFFD",
    ],
    [{ command: `: ${"x".repeat(150_000)}\necho long` }, "exit_code: 0\nstdout:\nlong\n"],
    [
      { command: "echo part; sleep 300", timeout: 3 },
      "[Bash] TimeoutError: Execution timed out. The command ran longer than 3 s: pass a larger timeout, or run it in " +
      "a terminal with TerminalStart\nstdout:\npart\n",
    ],
    [{ command: "sudo id" }, /^\[Bash\] Blocked by safety policy: /],
    [{ command: "echo os.environ su .env" }, "exit_code: 0\nstdout:\nos.environ su .env\n"],
    [{}, "[Bash] Missing required parameter: command"],
    [{ command: 5 }, "[Bash] Parameter 'command' must be of type string."],
    [{ command: "ls", timeout: "soon" }, "[Bash] timeout and max_output_chars must be integers."],
    [{ command: "ls", timeout: 0 }, "[Bash] timeout must be > 0."],
    [{ command: "ls", max_output_chars: -1 }, "[Bash] max_output_chars must be > 0."],
    [{ command: "a\0" }, "[Bash] Error executing command: embedded null byte"],
    [{ command: "ls", workdir: "no" }, /^\[Bash\] Working directory does not exist: .*\/ws\/no$/],
    [{ command: "ls", workdir: "a.txt" }, /^\[Bash\] Working directory is not a directory: .*\/ws\/a\.txt$/],
    [
      { command: "ls", workdir: "/etc" },
      /^\[Bash\] Invalid or blocked working directory: Working directory is limited to the workspace root: .* \(\/etc lies/,
    ],
  ]);
});

Deno.test("par/bash starts programs without a shell, and says what is wrong with a call", async () => {
  const ended = (stdout: string, stderr: string, code: number) =>
    new RegExp(
      `^\\{"stdout":"${stdout}","stderr":"${stderr}","exit_code":${code},"duration":\\d+(\\.\\d+)?,"truncated":false\\}$`,
    );
  await expectTexts("par/bash", [
    [{ argv: ["cat", "a.txt"] }, ended("one\\\\n", "", 0)],
    [{ argv: ["echo", "$HOME", "*", ";", "a  b"] }, ended("\\$HOME \\* ; a  b\\\\n", "", 0)],
    [{ argv: ["sh", "-c", "echo bad >&2; exit 5"] }, ended("", "bad\\\\n", 5)],
    [{ argv: ["ls"], cwd: "src", timeout: 600 }, ended("b\\.txt\\\\n", "", 0)],
    [{ argv: ["printf", "\\033[31mred\\033[0m\\033]0;t\\007"] }, ended("red", "", 0)],
    [{ argv: ["cat"] }, ended("", "", 0)],
    [{ argv: [] }, "Cannot run a program: argv names no program"],
    [{ argv: ["ls", "\0"] }, "Cannot run a program: argv[1] has an embedded null byte"],
    [
      { argv: Array(4097).fill("x") },
      "Cannot run a program: argv has 4097 elements, at most 4096 are possible",
    ],
    [{}, "Missing required parameter: argv"],
    [{ argv: ["ls"], timeout: "soon" }, "Parameter 'timeout' must be of type number."],
    [
      { argv: ["ls"], cwd: "a:b" },
      'Cannot use path "a:b": paths with a colon are refused, use a relative path without one',
    ],
    [
      { argv: ["ls"], cwd: "src/.." },
      'Cannot use path "src/..": paths with ".." are refused, write it without',
    ],
    [{ argv: ["ls"], cwd: ".." }, /^Cannot read "\.\." \(.*\): it is outside the granted folders/],
    [{ argv: ["ls"], cwd: "/etc" }, /^Cannot read "\/etc": it is outside the granted folders/],
    [
      { argv: ["sh", "-c", "echo part; sleep 300"], timeout: 3 },
      'Cannot finish "sh": it ran longer than 3 s, pass a larger timeout\nstdout:\npart\n',
    ],
    [{ argv: ["rm", "-rf", "/"] }, /^Cannot run this command: rule rm-rf-root forbids it under every policy/],
  ]);
});

programTest("python_execute shows what is printed, and how the code ended", ["python3"], async () => {
  const shown = (observation: string, success: boolean) => JSON.stringify({ observation, success });
  await expectTexts("python_execute", [
    [{ code: "print(6 * 7)\n6 * 7" }, shown("42\n", true)],
    [{ code: "if __name__ == '__main__': print('main', 'é')" }, shown("main é\n", true)],
    [
      { code: "class A:\n    def f(self): return B()\nclass B: pass\nprint(type(A().f()).__name__)" },
      shown("B\n", true),
    ],
    [{ code: "import sys\nprint('a')\nprint('b', file=sys.stderr)\nsys.exit()" }, shown("a\nb\n", true)],
    [{ code: "import sys\nsys.exit(3)" }, shown("[Python ended with exit code 3]", false)],
    [
      { code: "print('a')\nraise ValueError('bad')" },
      shown(
        'a\nTraceback (most recent call last):\n  File "<code>", line 2, in <module>\n' +
          "    raise ValueError('bad')\nValueError: bad\n",
        false,
      ),
    ],
    [{ code: "x = (" }, /" {2}File \\"<code>\\", line 1\\n.*SyntaxError: .*"success":false\}$/],
    [{ code: "input()" }, /EOFError: EOF when reading a line\\n","success":false\}$/],
    [
      {
        code:
          "import multiprocessing as m\ndef f(n): return n * n\nc = m.get_context('fork')\nwith c.Pool(2) as p: print(p.map(f, [1, 2]))",
      },
      shown("[1, 4]\n", true),
    ],
    [{
      code: "import os, subprocess\nsubprocess.run(['echo', 'child'])\nprint(os.path.basename(os.getcwd()))",
    }, shown("child\nws\n", true)],
    [{ code: `text = """${"y".repeat(1_000_000)}"""\nprint(len(text))` }, shown("1000000\n", true)],
    [{}, "Error: Missing required parameter: code"],
  ]);
});

programTest("a configuration sets the time of python_execute", ["python3"], async () => {
  const config = JSON.stringify({ tools: { "manus/python_execute": { timeout_seconds: 5 } } });
  using scene = makeScene({ "config.json": config });
  const { code, error, text } = await scene.call(
    "python_execute",
    { code: "print('part')\nwhile True: pass" },
    ["--config=../config.json", ...ANYWHERE],
  );
  assertEquals([code, error?.code, error?.details.timeout_seconds], [124, "timeout", 5]);
  // A busy machine may not have started Python by then, and Python writes the end of a line by itself.
  assertMatch(text, /^Execution timeout after 5 seconds(\npart\n?)?$/);
});

Deno.test("manus/bash keeps its shell, and talks to what runs in it", async () => {
  const config = JSON.stringify({ tools: { "manus/bash": { timeout_seconds: 5 } } });
  using scene = makeScene({ "config.json": config, "ws/src/b.txt": "" });
  using sleepers = makeSleepers();
  const table: Table = [
    [{ command: "" }, "No command is running."],
    [{ command: "cd src; x=5; f() { echo f$x; }" }, ""],
    [{ command: "basename $PWD; f; echo bad >&2; false" }, "src\nf5\nstderr:\nbad\nexit code: 1"],
    [{ command: "sleep 300 &" }, /^stderr:\n\[1\] \d+$/],
    [{ command: "echo a # comment" }, "a"],
    [{ command: "if then" }, /syntax error.*\nexit code: 2$/],
    [{ command: "PS1='(env) '; PROMPT_COMMAND=" }, ""],
    [{ command: `cat; ${sleepers.words}` }, `exit code: -1\n${STILL_RUNNING}`],
    [{ command: "hello" }, `hello\nexit code: -1\n${TYPED} ${STILL_RUNNING}`],
    [{ command: "" }, `exit code: -1\n${STILL_RUNNING}`],
    [{ command: "ctrl+c" }, "exit code: 130\nThe running command has ended."],
    [{ command: 'read -r line; echo "got $line"' }, `exit code: -1\n${STILL_RUNNING}`],
    [{ command: "it" }, `got it\n${TYPED}`],
    [{ command: "sudo id" }, /^Error: Cannot run this command: rule sudo forbids it/],
    [
      { command: "echo bye; exit 7" },
      "bye\nstderr:\nbash has exited with returncode 7\nexit code: 7\ntool must be restarted",
    ],
    [{ command: "ls" }, /^Error: Nothing was run: bash has exited with returncode 7; send restart: true/],
    [{ restart: true }, "tool has been restarted."],
    [{ command: "basename $PWD; echo ${x-gone}" }, "ws\ngone"],
    [{}, "Error: no command provided."],
  ];
  await inBatch(scene, ["--config=../config.json", ...ANYWHERE], async (batch) => {
    for (const [input, expected] of table) {
      const { text } = await batch.call("manus/bash", input);
      if (typeof expected === "string") assertEquals(text, expected, JSON.stringify(input));
      else assertMatch(text, expected, JSON.stringify(input));
    }
  });
  await sleepers.gone();
});

Deno.test("long output loses its middle, each tool to its own measure", async () => {
  const bytes = "head -c 300000 /dev/zero | tr '\\0' x";
  const argv = ["sh", "-c", `${bytes} >&2; seq 1 3000`];
  await expectTexts("Bash", [
    [
      { command: bytes },
      /^exit_code: 0\nstdout:\nx{8160}\n\[output truncated before decoding: omitted 283680 bytes\]\nx{8160}$/,
    ],
    [
      { command: "seq 1 2000 | tee /dev/stderr", max_output_chars: 8893 },
      /\n1999\n2000\n\nstderr:\n1\n2\n[^[]*\n2000\n$/,
    ],
  ]);
  await expectTexts("par/bash", [
    [
      { argv },
      /^\{"stdout":"1\\n2\\n[^[]*\\n1000\\n\[truncated: 5000 bytes \/ 1000 lines omitted\]\\n2001\\n[^[]*\\n3000\\n"/,
    ],
    [
      { argv },
      /"stderr":"x{25600}\\n\[truncated: 248800 bytes \/ 0 lines omitted\]\\nx{25600}",.*"truncated":true\}$/,
    ],
    [{ argv: ["seq", "1", "2000"] }, /\\n1999\\n2000\\n",.*"truncated":false\}$/],
    [{ argv: ["printf", "%51200s", "x"] }, /x","stderr":"","exit_code":0,.*"truncated":false\}$/],
  ]);
  await expectTexts("manus/bash", [[
    { command: bytes },
    /^x{25600}\n\[output truncated: 248\d\d\d bytes omitted\]\nx+$/,
  ]]);
});

boxTest("kept output is an artifact, and readable under a policy that only reads", async () => {
  using scene = makeScene();
  await inBatch(scene, ["--policy=read-only"], async (batch) => {
    const kept = await batch.call("Bash", {
      command: "seq 1 9999; echo e >&2",
      keep_output: true,
      max_output_chars: 100,
    });
    const { full_output } = kept.result as { full_output: { name: string; path: string; bytes: number }[] };
    assertEquals(full_output.map(({ name, bytes }) => [name, bytes]), [["stdout", 48_888], ["stderr", 2]]);
    assertEquals(kept.artifacts, full_output);
    const [stdout, stderr] = full_output.map(({ path }) => path);
    assert(
      kept.text.endsWith(`\nfull_output:\nstdout: ${stdout} (48888 bytes)\nstderr: ${stderr} (2 bytes)`),
    );
    const read = await batch.call("Read", { path: stdout, start_line: 9998 });
    assert(read.text.endsWith("\ncontent:\n9998\n9999"), read.text);
    const found = await batch.call("Grep", { pattern: "^500$", path: stdout });
    assert(found.text.includes(":500: 500"), found.text);
    const written = await batch.call("Write", { path: stdout, content: "x", overwrite: true });
    assertEquals(written.error?.code, "permission_denied");
  });
});

for (const [place, flags] of Object.entries(PLACES)) {
  Deno.test(`programs read nothing of the program's own input, and see none of its variables, ${place}`, async () => {
    using scene = makeScene();
    const secret = "planted-5f2c";
    const options = { stdin: "from outside\n", env: { MY_TOKEN: secret } };
    // Without a box the variables of other processes are open to every program of the user.
    const others = place === "in a box" ? "; cat /proc/$PPID/environ | tr '\\0' '\\n'" : "";
    const { stdout } = await scene.run(
      ["call", "Bash", `command=cat; env${others}`, "--json", ...flags],
      options,
    );
    assert(!stdout.includes("from outside") && !stdout.includes(secret) && stdout.includes("HOME="), stdout);
  });
}

Deno.test("a command's exit code is a result, not a failure of the program", async () => {
  using scene = makeScene();
  const table: [string[], number, string][] = [
    [["call", "Bash", "command=echo out; exit 3"], 0, "exit_code: 3\nstdout:\nout\n"],
    [
      ["call", "manus/bash", "command=exit 3"],
      0,
      "stderr:\nbash has exited with returncode 3\nexit code: 3\ntool must be restarted\n",
    ],
    [["call", "Bash", "command=sudo id"], 3, ""],
    [["call", "Bash", "command=sleep 300", "timeout:=1"], 124, ""],
    [["call", "par/bash", 'argv:=["no-such-program"]'], 1, ""],
    [["call", "par/bash", "argv:=[]"], 2, ""],
  ];
  for (const [words, code, stdout] of table) {
    const ended = await scene.run([...words, ...ANYWHERE]);
    assertEquals([ended.code, ended.stdout], [code, stdout], words.join(" "));
  }
});
