import { assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { runAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene, parseLines, type Scene } from "../../support/cli/scene.ts";

const FILES = { "ws/a.txt": "hello\n", "ws/b.txt": "there\n" };
const WORK: readonly ScriptedTurn[] = [
  {
    text: "I look and write.",
    tool_calls: [
      { id: "c1", name: "Read", arguments: { path: "a.txt" } },
      { id: "c2", name: "Write", arguments: { path: "made.txt", content: "made\n" } },
    ],
  },
  { tool_calls: [{ id: "c3", name: "Grep", arguments: { pattern: "hello", glob: "[ab].txt" } }] },
  { text: "All is made." },
];

/** Records the work in a scene of its own; returns the recording. */
async function record(words: readonly string[] = []): Promise<string> {
  using scene = makeScene(FILES);
  await using model = scriptedModel(WORK);
  const { code, stderr } = await tell(scene, model, [
    "Make it",
    `--record=${scene.at("run.jsonl")}`,
    ...words,
  ]);
  assertEquals(code, 0, stderr);
  return scene.read("run.jsonl");
}

function replayIn(scene: Scene, recording: string, words: readonly string[] = []) {
  scene.write("run.jsonl", recording);
  return tell(scene, null, [`--model=replay:${scene.at("run.jsonl")}`, ...words]);
}

Deno.test("run --model replay:FILE plays a recording without a key, and writes nothing", async () => {
  const recording = await record();
  assertEquals(parseLines(recording).length, 8);
  using scene = makeScene(FILES);
  const { code, run, stderr } = await replayIn(scene, recording, ["--strict"]);
  assertEquals([code, run.answer, run.usage.calls], [0, "All is made.", 3], stderr);
  assertEquals([scene.exists("ws/made.txt"), stderr.includes("warning")], [false, false], stderr);
  const really = await replayIn(scene, recording, ["--strict", "--replay-tools"]);
  assertEquals([really.code, scene.read("ws/made.txt")], [0, "made\n"], really.stderr);
});

Deno.test("a replay says which result is not the recorded one, and --strict ends with it", async () => {
  const recording = await record();
  using scene = makeScene({ ...FILES, "ws/a.txt": "goodbye\n" });
  const lenient = await replayIn(scene, recording);
  assertEquals([lenient.code, lenient.run.answer], [0, "All is made."]);
  assertStringIncludes(lenient.stderr, "warning: Not as recorded: Read (c1)");
  const strict = await replayIn(scene, recording, ["--strict"]);
  assertEquals([strict.code, strict.run.termination_reason, strict.run.error?.code], [
    1,
    "replay_differs",
    "conflict",
  ]);
  assertStringIncludes(strict.run.error?.message ?? "", "Read (c1)");
});

Deno.test("a replay that runs out, or is no recording, is an error", async () => {
  const recording = await record();
  using scene = makeScene(FILES);
  const lines = recording.trimEnd().split("\n");
  const short = await replayIn(scene, `${lines.slice(0, -1).join("\n")}\n`);
  assertEquals([short.code, short.run.termination_reason], [1, "replay_differs"], short.stderr);
  assertStringIncludes(short.stderr, "no further reply");
  for (const [text, code] of [["", 2], ["{}\n", 2], ["nonsense\n{}\n", 2]] as const) {
    const wrong = await replayIn(scene, text);
    assertEquals([wrong.code, wrong.run.termination_reason], [code, "not_started"], wrong.stderr);
  }
});

Deno.test("run --strict ends before the first reply when the request is not the recorded one", async () => {
  const recording = await record();
  using scene = makeScene(FILES);
  const cases: [words: string[], difference: string][] = [
    [["Make something else"], 'the task is another one: line 1 was "Make it", is "Make something else"'],
    [["--policy=read-only"], "the system prompt is another one: line "],
  ];
  for (const [words, difference] of cases) {
    const { code, run, stderr } = await replayIn(scene, recording, ["--strict", "--no-session", ...words]);
    assertEquals([code, run.termination_reason, run.usage.rounds], [1, "replay_differs", 0], stderr);
    assertStringIncludes(run.error!.message, difference);
  }
  const lenient = await replayIn(scene, recording, ["Make something else", "--no-session"]);
  assertEquals(lenient.code, 0, lenient.stderr);
  const old = recording.split("\n").map((line) => {
    const { request: _, ...rest } = line === "" ? {} : JSON.parse(line);
    return line === "" ? "" : JSON.stringify(rest);
  });
  const earlier = await replayIn(scene, old.join("\n"), ["--strict", "--no-session"]);
  assertEquals(earlier.code, 0, earlier.stderr);
  assertStringIncludes(earlier.stderr, "--strict cannot compare them");
});

Deno.test("run --record warns of a recording in the workspace", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([{ text: "Done." }, { text: "Done." }]);
  const inside = await runAgent(scene, model, ["Go", "--record=run.jsonl", "--no-session"]);
  assertStringIncludes(inside.stderr, `The recording "${scene.ws}/run.jsonl" lies in the workspace`);
  const outside = await runAgent(scene, model, ["Go", "--record=../run.jsonl", "--no-session"]);
  assertEquals([outside.code, outside.stderr.includes("lies in")], [0, false]);
});
