import { assertEquals, assertMatch, assertRejects } from "@std/assert";

import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { noPrograms } from "../../../support/no_programs.ts";
import pythonExecute from "../../../../tools/manus/python_execute.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { workspace } from "../../../support/run_tool.ts";

const PYTHON = ["python3"];
const PATIENT = { timeoutMs: 30_000 };

programTest("python_execute() returns what is printed, as JSON", PYTHON, async () => {
  await using ws = workspace();
  const { text } = await ws.run(pythonExecute, { code: "print(2 + 2)" }, PATIENT);
  assertEquals(text, '{"observation":"4\\n","success":true}');
});

programTest("python_execute() shows prints and traceback in their order", PYTHON, async () => {
  await using ws = workspace({ "note.txt": "hello" });
  const table: [string, string, boolean][] = [
    ["", "", true],
    ["1 + 1", "", true],
    ["print('é', end='')", "é", true],
    ["print(open('note.txt').read())", "hello\n", true],
    ["print(__name__)\nif __name__ == '__main__': print('main')", "__main__\nmain\n", true],
    ["import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')", "a\nb\nc\n", true],
    ["import sys\nprint('a')\nsys.exit(0)", "a\n", true],
    ["import sys\nsys.exit(3)", "[Python ended with exit code 3]", false],
    ["import sys\nsys.exit('no luck')", "no luck\n", false],
    [
      "def f():\n    raise ValueError('bad')\nprint('a')\nf()",
      'a\nTraceback (most recent call last):\n  File "<code>", line 4, in <module>\n    f()\n' +
      "  File \"<code>\", line 2, in f\n    raise ValueError('bad')\nValueError: bad\n",
      false,
    ],
    [
      "input()",
      'Traceback (most recent call last):\n  File "<code>", line 1, in <module>\n    input()\n' +
      "EOFError: EOF when reading a line\n",
      false,
    ],
    ["\uFEFFprint(1)\r\nprint(2)\r\n", "1\n2\n", true],
    ["import os\nprint('a')\nos._exit(7)", "a\n[Python ended with exit code 7]", false],
    ["import pickle\nclass A: x = 5\nprint(pickle.loads(pickle.dumps(A())).x)", "5\n", true],
  ];
  for (const [code, observation, success] of table) {
    const { result } = await ws.run(pythonExecute, { code }, PATIENT);
    // Newer versions underline the place.
    const shown = result.observation.replace(/^ *[~^]+\n/gm, "");
    assertEquals([shown, result.success], [observation, success], code);
  }
});

programTest("python_execute() shows where the syntax is wrong", PYTHON, async () => {
  await using ws = workspace();
  const { result } = await ws.run(pythonExecute, { code: "x = 1\nif x\n" }, PATIENT);
  assertMatch(result.observation, /^ {2}File "<code>", line 2\n {4}if x\n[ ^]*\nSyntaxError: /);
  assertEquals(result.success, false);
});

programTest("python_execute() ends code whose time is up and returns its prints so far", PYTHON, async () => {
  await using ws = workspace();
  const code = "print('part')\nwhile True: pass";
  const { error, text } = await ws.run(pythonExecute, { code }, { timeoutMs: 6000 });
  assertEquals(text, "Execution timeout after 6 seconds\npart\n");
  assertEquals(error?.code, "timeout");
  assertEquals(error?.details, { stdout: "part\n", stderr: "", exit_code: 124, timeout_seconds: 6 });
});

programTest("python_execute() runs code of any length and cuts long output", PYTHON, async () => {
  await using ws = workspace();
  const code = `# ${"x".repeat(1_000_000)}\nfor i in range(1, 3001): print(i)`;
  const { result } = await ws.run(pythonExecute, { code }, PATIENT);
  assertMatch(
    result.observation,
    /^1\n2\n[^[]*\n1000\n\[output truncated: 5000 bytes \/ 1000 lines omitted\]\n2001\n[^[]*\n3000\n$/,
  );
});

Deno.test("python_execute() may take five seconds unless configured otherwise", () => {
  assertEquals(pythonExecute.limits.timeoutMs, 5000);
});

Deno.test("python_execute() says what to install where there is no Python", async () => {
  const run = () => Promise.reject(new ToolError("not_found", "not there"));
  const context = {
    deadline: Date.now() + 5_000,
    programs: { ...noPrograms, run },
  } as unknown as ToolContext;
  const error = await assertRejects(async () => await pythonExecute.run({ code: "" }, context), ToolError);
  assertEquals(error.code, "unavailable");
  assertMatch(error.message, /neither python3 nor python was found, install Python 3/);
});
