import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { ANYWHERE, inBatch, PLACES } from "../../support/cli/terminal.ts";

// What each tool answers is tested with the tools; here they meet the program, its rooms and its exit codes.
Deno.test("each tool that starts programs tells of one as its document does", async () => {
  using scene = makeScene({ "ws/a.txt": "one\n" });
  const { code, answers } = await scene.batch([
    { tool: "Bash", arguments: { command: "cat a.txt; echo bad >&2; exit 3" } },
    { tool: "par/bash", arguments: { argv: ["echo", "$HOME", "a  b"] } },
    { tool: "manus/bash", arguments: { command: "cat a.txt; exit 3" } },
    ...hasProgram("python3") ? [{ tool: "python_execute", arguments: { code: "print(6 * 7)" } }] : [],
  ], ANYWHERE);
  const [bash, argv, shell, python] = answers.map(({ text }) => text);
  assertEquals([code, bash], [0, "exit_code: 3\nstdout:\none\n\nstderr:\nbad\n"]);
  assertStringIncludes(argv!, '{"stdout":"$HOME a  b\\n","stderr":"","exit_code":0,');
  assertStringIncludes(shell!, "one\nstderr:\nbash has exited with returncode 3\nexit code: 3");
  if (python) assertEquals(python, '{"observation":"42\\n","success":true}');
});

Deno.test("a call ends with the code of its error, whatever its command ended with", async () => {
  using scene = makeScene();
  const table: [string[], number, string][] = [
    [["call", "Bash", "command=echo out; exit 3"], 0, "exit_code: 3\nstdout:\nout\n"],
    [["call", "Bash", "command=sudo id"], 3, ""],
    [["call", "Bash", "command=sleep 300", "timeout:=1"], 124, ""],
    [["call", "par/bash", 'argv:=["no-such-program"]'], 1, ""],
  ];
  for (const [words, code, stdout] of table) {
    const ended = await scene.run([...words, ...ANYWHERE]);
    assertEquals([ended.code, ended.stdout], [code, stdout], words.join(" "));
  }
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

Deno.test("a command that leaves processes running is told so, and what keeps them", async () => {
  using scene = makeScene();
  for (const flags of [ANYWHERE, ["--sandbox=off", "--allow-run=bash"]]) {
    await inBatch(scene, [...flags], async (batch) => {
      // It has another name until it is begun.
      const command = 'sleep 300 >/dev/null 2>&1 & until grep -q sleep "/proc/$!/comm"; do :; done';
      const { warnings } = await batch.call("Bash", { command });
      const told = warnings.filter((warning) => warning.includes("left running"));
      assertEquals(told, [
        "what the program left running was ended with it: sleep; what must go on needs a tool that keeps processes, " +
        "such as TerminalStart or manus/bash",
      ]);
      const calm = await batch.call("Bash", { command: "sleep 0.01 & wait; echo a | cat" });
      assertEquals(calm.warnings.filter((warning) => warning.includes("left running")), []);
    });
  }
});
