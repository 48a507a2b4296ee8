import { assertEquals, assertStringIncludes } from "@std/assert";

import type { TaskAnswer } from "../../../runtime/queue/tasks/answer_task.ts";
import {
  type ScriptedModel,
  scriptedModel,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../../support/scripted_model.ts";
import { runAgent } from "../../support/cli/agent_scene.ts";
import { makeScene, parseLines, type Scene } from "../../support/cli/scene.ts";

/** What a model says to a task: the text behind the word `say`, or what the script has for the first word. */
function sayer(script: Readonly<Record<string, ScriptedTurn>> = {}): ScriptedModel {
  return scriptedModel((request) => {
    const task = taskOf(request);
    const isAnswered = request.body.messages.at(-1).role === "tool";
    return isAnswered
      ? { text: "Done." }
      : script[task.split(" ")[0]!] ?? { text: task.replace(/^say /, "") };
  });
}

/** The prompt of a task, without what stands around it. */
function taskOf({ body }: ScriptedRequest): string {
  const { content } = body.messages.find(({ role }: { role: string }) => role === "user");
  const text: string = typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
  return /(?:say|fail|write|hang) ?[^\n<]*/.exec(text)?.[0].trim() ?? text;
}

const FAIL: ScriptedTurn = { status: 401, body: { error: { message: "No such key" } } };
const write = (path: string): ScriptedTurn => ({
  tool_calls: [{ id: "w", name: "Write", arguments: { path, content: "x\n" } }],
});

function lines(tasks: readonly object[]): string {
  return tasks.map((task) => `${JSON.stringify(task)}\n`).join("");
}

async function tasks(
  scene: Scene,
  model: ScriptedModel,
  words: readonly string[] = [],
): Promise<{ code: number; stderr: string; answers: TaskAnswer[] }> {
  const { stdout, ...rest } = await runAgent(scene, model, [`--tasks=${scene.at("tasks.jsonl")}`, ...words]);
  return { ...rest, answers: parseLines(stdout) as TaskAnswer[] };
}

async function sessions(scene: Scene): Promise<string[]> {
  const { stdout } = await scene.run(["sessions", "--json"]);
  return JSON.parse(stdout).map(({ id }: { id: string }) => id);
}

Deno.test("run --tasks answers each line in order, with failures where they belong", async () => {
  using scene = makeScene({
    "tasks.jsonl":
      `${lines([{ id: "slow", prompt: "hang" }, { id: "b", prompt: "say two" }])}\n{"promt":1}\n` +
      lines([{ prompt: "fail" }, { id: "e", prompt: "say five", workspace: "/" }, {
        id: 6,
        prompt: "say six",
      }]),
  });
  await using model = sayer({ hang: { text: "one", delayMs: 1_500 }, fail: FAIL });
  const { code, answers, stderr } = await tasks(scene, model);
  assertEquals(
    answers.map(({ v, id, ok, answer, exit_code, error }) => [v, id, ok, answer, exit_code, error?.code]),
    [
      [1, "slow", true, "one", 0, undefined],
      [1, "b", true, "two", 0, undefined],
      [1, 4, false, null, 2, "invalid_input"],
      [1, 5, false, null, 4, "unauthenticated"],
      [1, "e", false, null, 3, "permission_denied"],
      [1, 6, true, "six", 0, undefined],
    ],
  );
  assertEquals(code, 2, stderr);
  assertStringIncludes(
    stderr,
    "bulkhead: task 4 failed: invalid_input: Cannot read line 4: missing field prompt; unknown field promt",
  );
  assertStringIncludes(stderr, `bulkhead: task 5 failed: unauthenticated: `);
  // No model ever replied: there is nothing to go on with.
  assertEquals([answers[3]!.resume, stderr.includes("go on with")], [null, false], stderr);
  assertStringIncludes(stderr, "\n6 tasks: 3 ok, 1 refused, 2 failed\n");
  const ids = answers.flatMap(({ session_id }) => session_id ?? []);
  assertEquals((await sessions(scene)).toSorted(), ids.toSorted());
  assertEquals([new Set(ids).size, answers[0]!.model, answers[0]!.workspace], [4, "test-model", scene.ws]);
});

Deno.test("run --tasks: a task narrows for itself alone, has a workspace of its own, and can be undone", async () => {
  using scene = makeScene({ "ws/one/x": "", "other/x": "" });
  scene.write(
    "tasks.jsonl",
    lines([
      { id: "free", prompt: "write a" },
      { id: "bound", prompt: "write a", grants: { policy: "read-only" } },
      { id: "below", prompt: "write a", workspace: scene.at("ws/one") },
      { id: "beside", prompt: "write a", workspace: scene.at("other") },
    ]),
  );
  await using model = sayer({ write: write("a.txt") });
  const words = [`--workspaces=${scene.ws},${scene.at("other")}`, "--max-runs=1", "--fail-on-refusal"];
  const { code, answers, stderr } = await tasks(scene, model, words);
  assertEquals(answers.map(({ id, changed, refused }) => [id, changed.length, refused.length]), [
    ["free", 1, 0],
    ["bound", 0, 1],
    ["below", 1, 0],
    ["beside", 1, 0],
  ], stderr);
  assertEquals([code, answers.map(({ ok }) => ok)], [3, [true, false, true, true]]);
  assertStringIncludes(stderr, "4 tasks: 3 ok, 1 refused");
  assertEquals(["ws/a.txt", "ws/one/a.txt", "other/a.txt"].map(scene.exists), [true, true, true]);
  const { code: undone } = await scene.run(["undo", answers[3]!.session_id!, "--yes"]);
  assertEquals([undone, scene.exists("other/a.txt"), scene.exists("ws/a.txt")], [0, false, true]);
});

Deno.test("run --tasks --fail-fast stops at the first failure, and the others can be resumed", async () => {
  using scene = makeScene({
    "tasks.jsonl": lines([
      { id: "hang", prompt: "hang" },
      { id: "fail", prompt: "fail" },
      ...Array.from({ length: 20 }, (_, at) => ({ id: at, prompt: "say more" })),
    ]),
  });
  let [isHanging, isOver] = [false, false];
  await using model = scriptedModel((request, n) => {
    if (isOver) return { text: "Late." };
    if (taskOf(request) === "hang") {
      isHanging = true;
      return { text: "I begin.", stallAfter: 2 };
    }
    // Not before the other one is at work.
    if (isHanging) return FAIL;
    return { tool_calls: [{ id: `g${n}`, name: "Glob", arguments: { pattern: `*.${n}` } }], delayMs: 200 };
  });
  const { code, answers, stderr } = await tasks(scene, model, ["--fail-fast", "--max-runs=2"]);
  assertEquals(answers.map(({ id, exit_code, termination_reason }) => [id, exit_code, termination_reason]), [
    ["hang", 130, "interrupted"],
    ["fail", 4, "unauthenticated"],
  ], stderr);
  assertEquals([code, model.requests.map(taskOf).filter((task) => task === "say more")], [4, []]);
  assertStringIncludes(stderr, "\n2 tasks: 1 failed, 1 stopped; the others were not begun\n");
  isOver = true;
  const resumed = await runAgent(scene, model, [`--resume=${answers[0]!.session_id}`]);
  assertEquals([resumed.code, resumed.stdout], [0, "Late.\n"], resumed.stderr);
});

Deno.test("run --tasks refuses what has no meaning with it, and the other way round", async () => {
  using scene = makeScene({ "tasks.jsonl": lines([{ prompt: "say a" }]) });
  await using model = sayer();
  for (
    const [words, said] of [
      [["A prompt"], "With --tasks each line has its own prompt"],
      [["--resume"], "Options --tasks and --resume exclude each other"],
      [["--overlay"], "Options --tasks and --overlay exclude each other"],
      [["-o", "../tasks.jsonl"], "it is read here, name another file"],
    ] as const
  ) {
    const { code, answers, stderr } = await tasks(scene, model, words);
    assertEquals([code, answers], [2, []], stderr);
    assertStringIncludes(stderr, said);
  }
  for (const words of [["--max-runs=2"], ["--fail-fast"], ["--report=github"], ["--workspaces=."]]) {
    const { code, stderr } = await runAgent(scene, model, ["A prompt", ...words]);
    assertEquals(code, 2);
    assertStringIncludes(stderr, `Option ${words[0]!.split("=")[0]} is for many tasks: --tasks FILE`);
  }
  const { code, stderr } = await runAgent(scene, model, ["--tasks=none.jsonl"]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "none.jsonl");
  assertEquals([model.requests.length, scene.read("tasks.jsonl")], [0, lines([{ prompt: "say a" }])]);
});
