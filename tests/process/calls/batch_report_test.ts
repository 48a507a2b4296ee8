import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { hasProgram } from "../../support/needed_programs.ts";
import { atTerminal } from "../../support/cli/at_terminal.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";

const CALLS = [
  {
    id: "found",
    tool: "Grep",
    arguments: { pattern: "a", path: "a.txt" },
    expect: { match_count: { min: 1 } },
  },
  { id: "wrong", tool: "Grep", arguments: { pattern: "a", path: "a.txt" }, expect: { match_count: 7 } },
  { id: "gone", tool: "Read", arguments: { path: "none" }, expect: { error: "not_found" } },
  { id: "secret", tool: "Read", arguments: { path: ".env" } },
  { id: "odd", tool: "Read", arguments: { path: "a.txt" }, expect: { error: "odd" } },
].map((call) => `${JSON.stringify(call)}\n`).join("");

const FILES = { "ws/a.txt": "a\n", "ws/.env": "X=1\n", "ws/calls.jsonl": CALLS };

Deno.test("batch fails calls that are not as expected, and tells of them beside the results", async () => {
  using scene = makeScene(FILES);
  const reports = ["--report", "junit=report.xml", "--report=github"];
  const env = { GITHUB_STEP_SUMMARY: "../summary.md" };
  scene.write("summary.md", "before\n");
  const { code, stdout, stderr } = await scene.run(["batch", "calls.jsonl", "-o", "out.jsonl", ...reports], {
    env,
  });
  assertEquals([code, stdout], [1, ""]);
  const answers = parseLines(scene.read("ws/out.jsonl")) as {
    id: string;
    ok: boolean;
    expected?: boolean;
    error: { code: string } | null;
    result: unknown;
  }[];
  assertEquals(answers.map(({ id, ok, expected, error }) => [id, ok, expected, error?.code]), [
    ["found", true, true, undefined],
    ["wrong", false, false, "conflict"],
    ["gone", false, true, "not_found"],
    ["secret", false, undefined, "permission_denied"],
    ["odd", false, undefined, "invalid_input"],
  ]);
  assert(answers[1]!.result !== null);
  const lines = stderr.trimEnd().split("\n");
  const flag = `--allow-secrets=${scene.ws}/.env`;
  assertEquals(lines.at(-1), `5 calls: 2 ok, 1 refused (allow it with ${flag}), 2 failed`);
  // GitHub shows what marks a line, too: it is told once, and there is no other form of its commands in it.
  const marks = lines.filter((line) => line.startsWith("::error file=calls.jsonl,line="));
  assertEquals([marks.length, lines.length], [3, 4]);
  assertMatch(scene.read("ws/report.xml"), /<testsuites name="bulkhead" tests="5" failures="1" errors="2"/);
  assertMatch(scene.read("summary.md"), /^before\n### bulkhead batch\n\n5 calls: 2 ok/);
  const plain = await scene.run(["batch", "calls.jsonl"]);
  const told = plain.stderr.split("\n").filter((line) => line.startsWith("bulkhead: "));
  assertEquals(told.length, 3);
  assertEquals(
    told[0],
    "bulkhead: call wrong (harness/Grep) failed: conflict: expected match_count 7, got 1",
  );
  assertMatch(
    told[1]!,
    /^bulkhead: call secret \(harness\/Read\) refused: permission_denied: .*--allow-secrets=/,
  );
  assertMatch(
    told[2]!,
    /^bulkhead: call odd \(Read\) failed: invalid_input: Cannot read line 5: "error" in "expect"/,
  );
  // The flag of the hint is followed; nothing is told with --quiet.
  const quiet = await scene.run(["batch", "calls.jsonl", "-q", flag]);
  assertEquals([quiet.code, quiet.stderr, parseLines(quiet.stdout).length], [1, "", 5]);
});

Deno.test("batch marks its file for GitHub by its path in the folder of the job", async () => {
  using scene = makeScene(FILES);
  const job = { GITHUB_WORKSPACE: Deno.realPathSync(`${scene.ws}/..`) };
  const inJob = await scene.run(["batch", "calls.jsonl", "--report=github"], { env: job });
  const found = (stderr: string) => [...stderr.matchAll(/^::error file=([^,]+),/gm)].map(([, file]) => file);
  assertEquals(found(inJob.stderr), Array(3).fill("ws/calls.jsonl"));
  const outside = await scene.run(["batch", "calls.jsonl", "--report=github"], {
    env: { GITHUB_WORKSPACE: "/somewhere" },
  });
  assertEquals(found(outside.stderr), Array(3).fill("calls.jsonl"));
});

Deno.test("batch refuses a report that it cannot write before it runs anything", async () => {
  using scene = makeScene({ ...FILES });
  const line = JSON.stringify({ tool: "Write", arguments: { path: "new.txt", content: "x" } });
  for (
    const [report, code] of [["junit", 2], ["junit=", 2], ["sarif=x", 2], ["junit=none/x.xml", 2]] as const
  ) {
    const ended = await scene.run(["batch", "-", "--report", report], { stdin: `${line}\n` });
    assertEquals([ended.code, scene.exists("ws/new.txt")], [code, false], ended.stderr);
    assertStringIncludes(ended.stderr, "bulkhead: ");
  }
});

Deno.test({
  name: "batch shows rows at a terminal, and JSON lines with --json",
  ignore: !hasProgram("script"),
  async fn() {
    using scene = makeScene({ ...FILES, "home/.keep": "" });
    const { code, screen } = await atTerminal(scene, ["batch", "calls.jsonl"], { typed: "", ci: "1" });
    assertEquals(code, 1);
    const rows = screen.replaceAll("\r\n", "\n");
    assertMatch(
      rows,
      /^ok {6}found Grep pattern=a path=a\.txt \(.* s\): .*\nfailed {2}wrong Grep pattern=a path=a\.txt \(.* s\)\n {8}conflict: expected/,
    );
    assert(!rows.includes("bulkhead: call") && !rows.includes('{"id"'), rows);
    assertMatch(rows, /\n5 calls: 2 ok, .*\n$/);
    const json = await atTerminal(scene, ["batch", "calls.jsonl", "--json", "-q"], { typed: "", ci: "1" });
    assertEquals(parseLines(json.screen.replaceAll("\r", "")).length, 5);
  },
});
