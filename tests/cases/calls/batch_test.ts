import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { startHere as start } from "../../support/cli/in_process.ts";
import { type Call, makeScene, parseLines } from "../../support/cli/scene.ts";

function read(path: string): Call {
  return { tool: "Read", arguments: { path } };
}

function line(call: unknown): string {
  return `${JSON.stringify(call)}\n`;
}

Deno.test("batch answers in the order of its lines, and a later read sees the edit before it", async () => {
  using scene = makeScene({ "ws/a.txt": "before\n", "ws/slow.txt": `${"ab".repeat(500_000)}\n` });
  const edit = { tool: "Edit", arguments: { path: "a.txt", patch: "@@ -1 +1 @@\n-before\n+after\n" } };
  const { code, answers } = await scene.batch([
    { id: "first", tool: "Grep", arguments: { pattern: "nothing", path: "slow.txt" } },
    { id: "second", ...read("a.txt") },
    { id: "third", ...edit },
    { id: "fourth", ...read("a.txt") },
  ]);
  assertEquals(code, 0);
  assertEquals(answers.map(({ id }) => id), ["first", "second", "third", "fourth"]);
  assertStringIncludes(answers[1]!.text, "content:\nbefore");
  assertStringIncludes(answers[3]!.text, "content:\nafter");
});

Deno.test("batch answers a bad line as that call's error and goes on", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const bad = ["{oops", "null", '{"tool":"Raed","arguments":{"path":"a.txt"}}', '{"tool":"Read"}'];
  const stdin = bad.map((text) => `${text}\n${line(read("a.txt"))}`).join("");
  const { code, stdout, stderr } = await scene.run(["batch", "-"], { stdin });
  const answers = parseLines(stdout) as { ok: boolean; id: unknown; error: { code: string } | null }[];
  assertEquals([code, answers.length], [2, bad.length * 2]);
  const told = stderr.trimEnd().split("\n");
  assertEquals(told.pop(), `${bad.length * 2} calls: ${bad.length} ok, ${bad.length} failed`);
  assertEquals(told.length, bad.length, stderr);
  for (const [at, line] of told.entries()) assert(line.startsWith(`bulkhead: call ${2 * at + 1} `), line);
  for (const [at, answer] of answers.entries()) {
    assertEquals([answer.id, answer.ok], [at + 1, at % 2 === 1], JSON.stringify(answer));
    if (at % 2 === 0) assertEquals(answer.error?.code, "invalid_input");
  }
});

Deno.test("batch ends with the code of the first call that failed", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const table: [paths: string[], code: number][] = [
    [["a.txt"], 0],
    [["a.txt", "none", "../x"], 1],
    [["../x", "none", "a.txt"], 3],
    [["a\0", "../x"], 2],
    [[], 0],
  ];
  for (const [paths, code] of table) {
    assertEquals((await scene.batch(paths.map(read))).code, code, JSON.stringify(paths));
  }
});

Deno.test("batch --fail-fast starts no further call after a failure", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const write = (path: string): Call => ({ tool: "Write", arguments: { path, content: "x" } });
  const calls = [write("1.txt"), read("none"), write("2.txt"), write("3.txt"), read("a.txt")];
  const { code, answers } = await scene.batch(calls, ["--fail-fast"]);
  assertEquals(code, 1);
  assertEquals(answers[0]!.ok, true);
  assertEquals(answers[1]!.error?.code, "not_found");
  for (const answer of answers.slice(2)) assertEquals(answer.error?.code, "cancelled");
  assertEquals([scene.exists("ws/1.txt"), scene.exists("ws/2.txt"), scene.exists("ws/3.txt")], [
    true,
    false,
    false,
  ]);
  const bad = await scene.run(["batch", "-", "--fail-fast"], { stdin: `oops\n${line(write("4.txt"))}` });
  assertEquals([bad.code, scene.exists("ws/4.txt")], [2, false]);
});

Deno.test("batch answers each line before the next one comes", async () => {
  using scene = makeScene({ "ws/a.txt": "0\n" });
  const running = start(["batch", "-"], { cwd: scene.ws });
  for (let at = 0; at < 5; at++) {
    const patch = `@@ -1 +1 @@\n-${at}\n+${at + 1}\n`;
    await running.write(line({ tool: "Edit", arguments: { path: "a.txt", patch } }));
    assertEquals(JSON.parse(await running.nextLine() ?? "").ok, true);
    await running.write(line(read("a.txt")));
    assertStringIncludes(JSON.parse(await running.nextLine() ?? "").text, `content:\n${at + 1}`);
  }
  // A last line without its end counts, too.
  await running.write(line(read("a.txt")).trimEnd());
  await running.closeInput();
  const { code, stdout } = await running.ended();
  assertEquals([code, parseLines(stdout).length], [0, 1]);
});

Deno.test("batch answers 200 reads, in order", async () => {
  const files = Array.from({ length: 50 }, (_, at) => [`ws/${at}.txt`, `number ${at}\n`]);
  using scene = makeScene(Object.fromEntries(files));
  const calls = Array.from({ length: 200 }, (_, at) => ({ id: `call ${at}`, ...read(`${at % 50}.txt`) }));
  const { code, answers } = await scene.batch(calls, ["--max-parallel=4"]);
  assertEquals([code, answers.length], [0, 200]);
  for (const [at, { id, result }] of answers.entries()) {
    assertEquals([id, (result as { content: string }).content], [`call ${at}`, `number ${at % 50}`]);
  }
});

Deno.test("a batch is one session: an edit can be undone in it, but not in the next", async () => {
  const tool = "harness/str_replace_editor";
  using scene = makeScene({ "ws/a.txt": "one\ntwo\n" });
  const path = scene.at("ws/a.txt");
  const undo = { tool, arguments: { command: "undo_edit", path } };
  const replace = (old_str: string, new_str: string) => ({
    tool,
    arguments: { command: "str_replace", path, old_str, new_str },
  });
  const first = await scene.batch([replace("one", "1"), undo]);
  assertEquals([first.code, scene.read("ws/a.txt")], [0, "one\ntwo\n"]);
  await scene.batch([replace("one", "1")]);
  const second = await scene.batch([undo]);
  assertEquals([second.code, second.answers[0]!.error?.code], [1, "not_found"]);
  assertEquals(scene.read("ws/a.txt"), "1\ntwo\n");
});

Deno.test("--session keeps state between calls and batches, and apart from other sessions", async () => {
  using scene = makeScene({ "ws/a.txt": "one\n" });
  const path = scene.at("ws/a.txt");
  const replace = { command: "str_replace", path, old_str: "one", new_str: "1" };
  const undo = { command: "undo_edit", path };
  const edited = await scene.call("str_replace_editor", replace, ["--session=s1"]);
  assertEquals(edited.ok, true);
  const other = await scene.call("str_replace_editor", undo, ["--session=s2"]);
  const none = await scene.call("str_replace_editor", undo);
  const otherSet = await scene.call("manus/str_replace_editor", undo, ["--session=s1"]);
  assertEquals([other, none, otherSet].map(({ error }) => error?.code), [
    "not_found",
    "not_found",
    "not_found",
  ]);
  const undone = await scene.batch([{ tool: "str_replace_editor", arguments: undo }], ["--session=s1"]);
  assertEquals([undone.code, scene.read("ws/a.txt")], [0, "one\n"]);
  const again = await scene.call("str_replace_editor", undo, ["--session=s1"]);
  assertEquals(again.error?.code, "not_found");
  const folder = scene.at("state/bulkhead/sessions/s1");
  assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
  for (const { name } of Deno.readDirSync(folder)) {
    assertEquals((Deno.statSync(`${folder}/${name}`).mode ?? 0) & 0o777, 0o600);
  }
});

Deno.test("a session stays out of the workspace: a relative XDG_STATE_HOME counts as none", async () => {
  using scene = makeScene();
  const path = `${scene.ws}/new.txt`;
  const args = [
    "call",
    "manus/str_replace_editor",
    "command=create",
    `path=${path}`,
    "file_text=x",
    "--session=s",
  ];
  for (const XDG_STATE_HOME of ["", "relative"]) {
    const { code } = await scene.run(args, { env: { XDG_STATE_HOME } });
    assertEquals([code, [...Deno.readDirSync(scene.ws)].map(({ name }) => name)], [0, ["new.txt"]]);
    assert(scene.exists("home/.local/state/bulkhead/sessions/s"));
    Deno.removeSync(path);
  }
  const homeless = await scene.run(args, { env: { XDG_STATE_HOME: undefined, HOME: undefined } });
  assertEquals([homeless.code, scene.exists("ws/new.txt")], [6, false], homeless.stderr);
});

Deno.test("-o writes the result to a file of the user's folder, and nothing to stdout", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "project/a.txt": "b\n" });
  scene.write("ws/out.txt", "longer than what will be written to it".repeat(100));
  const call = await scene.run(["call", "Read", "path=a.txt", "-C", "../project", "-o", "out.txt"]);
  assertEquals([call.code, call.stdout, call.stderr], [0, "", ""]);
  assertStringIncludes(scene.read("ws/out.txt"), "content:\nb\n");
  assert(scene.read("ws/out.txt").startsWith("path: "));
  const batch = await scene.run(["batch", "-", "-o", "out.jsonl", "--policy=read-only"], {
    stdin: line(read("a.txt")),
  });
  assertEquals([batch.code, batch.stdout], [0, ""]);
  assertEquals(parseLines(scene.read("ws/out.jsonl")).length, 1);
  const bad = await scene.run(["call", "Read", "path=a.txt", "-o", "none/out.txt"]);
  assertEquals([bad.code, bad.stdout], [2, ""]);
  assertStringIncludes(bad.stderr, 'Cannot write "none/out.txt"');
});

Deno.test("batch refuses what is nested without end, and takes what is very long", async () => {
  const deep = (levels: number, [open, close]: readonly string[]) =>
    open!.repeat(levels) + "1" + close!.repeat(levels);
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const lines = [["[", "]"], ['{"a":', "}"]].flatMap((pair) =>
    [1_000, 200_000].map((levels) => `{"tool":"Read","arguments":{"path":${deep(levels, pair)}}}\n`)
  );
  const content = "x".repeat(5_000_000);
  const long = line({ tool: "Write", arguments: { path: "long.txt", content } });
  const { stdout } = await scene.run(["batch", "-"], { stdin: [...lines, long].join("") });
  const answers = parseLines(stdout) as { error: { code: string } | null }[];
  const bad = "invalid_input";
  assertEquals(answers.map(({ error }) => error?.code ?? null), [bad, bad, bad, bad, null]);
  assertEquals(Deno.statSync(scene.at("ws/long.txt")).size, content.length);
});

Deno.test("--timeout bounds each call, not the batch", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "ws/evil.txt": `${"a".repeat(10_000)}!\n` });
  const evil = { tool: "par/grep", arguments: { pattern: "^(a+)+\\1$", path: "evil.txt" } };
  const { answers } = await scene.batch([evil, read("a.txt"), evil, read("a.txt")], ["--timeout=3"]);
  assertEquals(answers.map(({ error }) => error?.code ?? null), ["timeout", null, "timeout", null]);
});

Deno.test("plans stay with their session, from run to run, and nowhere else", async () => {
  using scene = makeScene({ "ws/x": "" });
  const plan = { command: "create", plan_id: "p", title: "Ship it", steps: ["build", "test"] };
  assertEquals((await scene.call("planning", plan, ["--session=one"])).code, 0);
  const mark = { command: "mark_step", step_index: 1, step_status: "completed" };
  const marked = await scene.call("planning", mark, ["--session=one"]);
  assert(marked.text.endsWith("\nSteps:\n0. [ ] build\n1. [✓] test\n"), marked.text);
  for (const flags of [["--session=two"], []]) {
    const { code, text, warnings } = await scene.call("planning", { command: "list" }, flags);
    assert(warnings.some((warning) => warning.includes("--session ID")), `${warnings}`);
    assertEquals([code, text], [0, "No plans available. Create a plan with the 'create' command."]);
  }
});
