import { assert, assertEquals } from "@std/assert";

import type { AuditRecord } from "../../../schemas/audit.ts";
import { SANDBOXES } from "../../support/box.ts";
import { type Answer, type Call, makeScene, parseLines } from "../../support/cli/scene.ts";
import { ANYWHERE } from "../../support/cli/terminal.ts";

const TOKEN = "canary-0123456789-token";

Deno.test("every call leaves a line, let or refused, without secrets", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  const calls: readonly Call[] = [
    { tool: "Read", arguments: { path: "a.txt" } },
    { tool: "Write", arguments: { path: "b.txt", content: `${TOKEN} ${"x".repeat(5_000)}` } },
    { tool: "Read", arguments: { path: "../outside.txt" } },
    { tool: "Bash", arguments: { command: `curl -H 'Authorization: Bearer abc' ${TOKEN}; ls` } },
    { tool: "Bash", arguments: { command: "rm -rf /" } },
  ];
  const flags = ["--audit=../audit.jsonl", ...ANYWHERE];
  const { answers } = await scene.batch(calls, flags, { env: { MY_TOKEN: TOKEN } });
  const text = scene.read("audit.jsonl");
  const records = parseLines(text) as AuditRecord[];
  assert(!text.includes("canary"), text);
  assertEquals(records.map(({ tool, decision, ok, error }) => [tool, decision, ok, error]), [
    ["harness/Read", "allowed", true, null],
    ["harness/Write", "allowed", true, null],
    ["harness/Read", "refused", false, "permission_denied"],
    ["harness/Bash", "allowed", true, null],
    ["harness/Bash", "refused", false, "denied_by_policy"],
  ]);
  assertEquals(records[0]?.touched, [{ kind: "read", value: `${scene.ws}/a.txt` }]);
  assertEquals(records[2]?.flag, `--allow-read=${scene.at("outside.txt")}`);
  assertEquals(
    (records[1]?.arguments as { content: string }).content.endsWith("… [5011 characters in all]"),
    true,
  );
  assertEquals(records[3]?.touched.map(({ value }) => value), ["bash", "curl", "ls"]);
  assertEquals(records[3]?.programs.length, 1);
  assertEquals(records[3]?.exit_code, 0);
  assertEquals([records[4]?.rule, records[4]?.risk, records[4]?.programs], ["rm-rf-root", "critical", []]);
  assertEquals(
    records.map(({ bytes }) => bytes),
    answers.map((answer) => new TextEncoder().encode(answer.text).length),
  );
  assertEquals(new Set(records.map(({ run_id }) => run_id)).size, 1);
  assertEquals(Deno.statSync(scene.at("audit.jsonl")).mode! & 0o777, 0o600);
});

const REPLAYED: readonly Call[] = [
  { tool: "Read", arguments: { path: "a.txt" } },
  { tool: "Read", arguments: { path: "../out/b.txt" } },
  { tool: "Read", arguments: { path: "../it's, odd/c.txt" } },
  { tool: "Grep", arguments: { pattern: "x", path: "../out" } },
  { tool: "Write", arguments: { path: "new.txt", content: "n" } },
  { tool: "Write", arguments: { path: "../made/x.txt", content: "x" } },
  { tool: "par/edit", arguments: { path: "a.txt", edits: [{ old: "hello", new: "bye" }] } },
];

Deno.test("the flags that the audit names let the same calls, and without one of them they do not", async () => {
  const files = {
    "ws/a.txt": "hello\n",
    "out/b.txt": "x\n",
    "out/c.txt": "x\n",
    "it's, odd/c.txt": "x\n",
    "made/y": "",
  };
  using scene = makeScene(files);
  const first = await scene.batch(REPLAYED, ["-A", "--audit=../audit.jsonl"]);
  assertEquals(failures(first.answers), []);
  const { stdout, code } = await scene.run(["audit", "../audit.jsonl", "--json"]);
  const { flags: [needed], calls } = JSON.parse(stdout);
  assertEquals([code, calls, needed.workspace], [0, REPLAYED.length, scene.ws]);
  assertEquals(needed.flags, [
    "--policy=read-only-no-net",
    `--allow-read=${scene.at("it's,, odd/c.txt")},${scene.at("out")}`,
    `--allow-write=${scene.at("made/x.txt")},${scene.ws}/a.txt,${scene.ws}/new.txt`,
  ]);
  for (const box of SANDBOXES) {
    using again = makeScene(files);
    const moved = (needed.flags as string[]).map((flag) => flag.replaceAll(scene.root, again.root));
    const { answers } = await again.batch(REPLAYED, [...moved, `--sandbox=${box}`]);
    assertEquals(failures(answers), []);
    using less = makeScene(files);
    const { answers: refused } = await less.batch(REPLAYED, [moved[0]!, `--sandbox=${box}`]);
    assertEquals(refused.map(({ ok }) => ok), [true, false, false, false, false, false, false]);
  }
});

function failures(answers: readonly Answer[]): string[] {
  return answers.filter(({ ok }) => !ok).map(({ text }) => text);
}

Deno.test("audit sums up what a run lacked, from a file and from stdin", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  await scene.batch([
    { tool: "Read", arguments: { path: "../outside.txt" } },
    { tool: "Write", arguments: { path: "b.txt", content: "b" } },
  ], ["--policy=read-only", "--audit=../audit.jsonl"]);
  const expected = `2 calls in 1 run: 0 ok, 2 refused, 0 failed
skipped 1 broken line

tools
  harness/Read 1 call, 1 refused
  harness/Write 1 call, 1 refused

refused
  harness/Read --allow-read=${scene.at("outside.txt")}
  harness/Write --allow-write=${scene.ws}

flags that allow all of it, except what rules refused
  -C ${scene.ws} --policy=read-only-no-net --allow-read=${scene.at("outside.txt")} --allow-write=${scene.ws}
`;
  scene.write("audit.jsonl", `${scene.read("audit.jsonl")}{"v":1,\n`);
  const file = await scene.run(["audit", "../audit.jsonl"]);
  assertEquals([file.code, file.stdout, file.stderr], [0, expected, ""]);
  const piped = await scene.run(["audit", "-"], { stdin: scene.read("audit.jsonl") });
  assertEquals([piped.code, piped.stdout], [0, expected]);
  for (const path of ["../none.jsonl", ".."]) {
    const { code, stdout } = await scene.run(["audit", path]);
    assertEquals([code, stdout], [2, ""], path);
  }
});
