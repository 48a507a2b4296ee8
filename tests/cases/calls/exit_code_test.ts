import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { RUNAWAY, sceneOfFailures } from "../../support/cli/runaway.ts";
import { makeScene } from "../../support/cli/scene.ts";

Deno.test("the exit code of a call tells its error", async () => {
  using scene = sceneOfFailures();
  const table: [words: string[], code: number, error: string | null][] = [
    [["Read", "path=a.txt"], 0, null],
    [["Grep", "pattern=nothing of this kind"], 0, null],
    [["Glob", "pattern=*.none"], 0, null],
    [["par/grep", "pattern=nothing of this kind", "path=a.txt"], 0, null],
    [["find", "pattern=*.none"], 0, null],
    [["Read", "path=none.txt"], 1, "not_found"],
    [["Write", "path=a.txt", "content=x"], 1, "conflict"],
    [["Edit", "path=a.txt", "patch=@@ -1 +1 @@\n-nope\n+x\n"], 1, "conflict"],
    [["par/ls", "path=a.txt"], 2, "invalid_input"],
    [["calculator", "expression=1/0"], 2, "invalid_input"],
    [["Read", "path=/etc/hostname"], 3, "permission_denied"],
    [["Write", "path=b.txt", "content=x", "--policy=read-only"], 3, "permission_denied"],
    [["par/edit", "path=huge.txt", 'edits=[{"old":"a","new":"b"}]'], 7, "limit_exceeded"],
    [[...RUNAWAY, "--timeout=1"], 124, "timeout"],
  ];
  for (const [words, code, error] of table) {
    const ended = await scene.run(["call", ...words, "--json"]);
    const result = JSON.parse(ended.stdout);
    assertEquals(
      [ended.code, result.ok, result.error?.code ?? null],
      [code, error === null, error],
      ended.stdout,
    );
    assertEquals(ended.stderr, "");
  }
});

Deno.test("a mistake on the command line ends with 2 and the nearest names", async () => {
  using scene = makeScene();
  const table: [words: string[], said: string][] = [
    [["cal", "Read"], 'Unknown command "cal", did you mean "call"?'],
    [["call", "Raed", "path=a"], 'Unknown tool "Raed", did you mean Read or read'],
    [["call", "Read", "path=a", "--jsn"], 'Unknown option "--jsn", did you mean "--json"?'],
    [
      ["call", "Read", "path=a", "--policy=coda"],
      'Unknown policy "coda": there are coder, read-only, read-only-no-net',
    ],
    [["call", "Read", "path=a", "--timeout=0"], "Option --timeout must be a number of seconds"],
    [["call", "Read", "path=a", "--session=../x"], 'Session id "../x" must be'],
    [["batch", "-", "second"], 'Unexpected word "second"'],
    [["call"], "Missing TOOL"],
    [["help", "cal"], 'Unknown command, topic or tool "cal", did you mean "call" or "calculator"?'],
    [["completions", "basch"], 'Unknown shell "basch", did you mean "bash"?'],
    [["schema", "lock"], "Write: bulkhead schema lock FILE"],
    [["tools", "--toolset=paar"], 'Unknown toolset "paar": there are harness, par, manus'],
    [["tools", "--tool=Read", "--extra-tool=Grep"], "exclude each other"],
  ];
  const ends = await Promise.all(table.map(([words]) => scene.run(words)));
  for (const [at, { code, stdout, stderr }] of ends.entries()) {
    const [words, said] = table[at]!;
    assertEquals([code, stdout], [2, ""], `${words.join(" ")}: ${stderr}`);
    assertStringIncludes(stderr, said);
    assert(stderr.startsWith("bulkhead: ") && !stderr.includes("    at "), stderr);
  }
});

Deno.test("a file, folder or session that the command line names and that cannot be used ends with its code", async () => {
  using scene = makeScene({ "ws/calls.jsonl": '{"tool":"Read","arguments":{"path":"a"}}\n' });
  Deno.mkdirSync(scene.at("ws/folder"));
  const model = ["--model=m", "--base-url=http://127.0.0.1:1/v1", "--no-session"];
  const table: [code: number, words: string[]][] = [
    // What is read or written for this command alone.
    [2, ["run", "x", "--model=replay:none", "--no-session"]],
    [2, ["run", "x", ...model, "--image=none"]],
    [2, ["run", "x", ...model, "--output-schema=none"]],
    [2, ["run", "x", ...model, "--record=none/x"]],
    [2, ["run", "x", "--output=none/x"]],
    [2, ["run", "x", "--resume=none"]],
    [2, ["call", "Read", "@none"]],
    [2, ["call", "Read", "a", "--output=folder"]],
    [2, ["batch", "none"]],
    [2, ["batch", "folder"]],
    [2, ["audit", "none"]],
    [2, ["schema", "check", "folder"]],
    [2, ["schema", "lock", "none/x"]],
    [2, ["sessions", "show", "none"]],
    // What a run is set up with.
    [6, ["tools", "-C", "none"]],
    [6, ["tools", "-C", "calls.jsonl"]],
    [6, ["call", "echo", "x", "--audit=none/x"]],
  ];
  const ends = await Promise.all(table.map(([, words]) => scene.run(words)));
  for (const [at, { code, stdout, stderr }] of ends.entries()) {
    const [expected, words] = table[at]!;
    assertEquals([code, stdout], [expected, ""], `${words.join(" ")}: ${stderr}`);
    assert(/^bulkhead: /m.test(stderr) && !stderr.includes("    at "), stderr);
  }
});

Deno.test("with --json a mistake on the command line is JSON too", async () => {
  using scene = makeScene();
  const { code, stdout } = await scene.run(["call", "Raed", "--json"]);
  const { ok, error } = JSON.parse(stdout);
  assertEquals([code, ok, error.code, error.retryable], [2, false, "invalid_input", false]);
  assert(error.details.candidates.includes("Read"));
  const both = await scene.run(["call", "Read", "path=a", "--json", "--events"]);
  assertEquals([both.code, JSON.parse(both.stdout).error.code], [2, "invalid_input"]);
});
