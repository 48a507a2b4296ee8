import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { foldTrace } from "../../../runtime/agent/conversation/conversation.ts";
import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import type { Running } from "../../support/program.ts";
import { readEvents, runAgent, startAgent, tell } from "../../support/cli/agent_scene.ts";
import { descendants, isAlive, MORE_THAN_A_PIPE, until, untilBusy } from "../../support/cli/processes.ts";
import type { TaskAnswer } from "../../../runtime/queue/tasks/answer_task.ts";
import { makeScene, parseLines, type Scene } from "../../support/cli/scene.ts";

/** A search that never ends. */
const RUNAWAY: ScriptedTurn = {
  tool_calls: [
    { id: "r", name: "Read", arguments: { path: "a.txt" } },
    { id: "g", name: "Grep", arguments: { pattern: "^(a+)+\\1$" } },
    { id: "w", name: "Write", arguments: { path: "b.txt", content: "b" } },
  ],
};
const FILES = { "ws/a.txt": "hello\n", "ws/evil.txt": `${"a".repeat(10_000)}!\n` };

/** Moments at which a signal may come. */
const MOMENTS: Readonly<Record<string, (running: Running, model: ScriptedModel) => Promise<unknown>>> = {
  "before the first request": async (running) => await running.nextLine(),
  "while the model is silent": (_, model) => until("a request", () => model.requests.length > 0),
  "while a tool runs": (running) => untilBusy(running.pid),
};

const SCRIPTS: Readonly<Record<string, ScriptedTurn>> = {
  "before the first request": { text: "Done.", delayMs: 30_000 },
  "while the model is silent": { text: "Done.", stallAfter: 2 },
  "while a tool runs": RUNAWAY,
};

for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  for (const [moment, wait] of Object.entries(MOMENTS)) {
    if (signal === "SIGTERM" && moment !== "while a tool runs") continue;
    Deno.test(`run ends on ${signal} ${moment}: no process, a whole trace, run.end last`, async () => {
      using scene = makeScene(FILES);
      await using model = scriptedModel(() => SCRIPTS[moment]!);
      const running = await startAgent(scene, model, ["Go", "--events", "--session=s1"]);
      await wait(running, model);
      const below = descendants(running.pid).map(({ pid }) => pid);
      running.kill(signal);
      const { code, stdout } = await running.ended();
      const { end } = readEvents(`${stdout}`);
      assertEquals([code, end.exit_code, end.termination_reason], [expected, expected, "interrupted"]);
      await until("the end of all processes", () => !below.some(isAlive));
      const lines = await readTrace(tracePath(scene));
      assertEquals([lines[0]?.t, lines.at(-1)?.t], ["run", "end"]);
      assertEquals(scene.exists("ws/b.txt"), false);
    });
  }
}

Deno.test("run that is interrupted before its prompt came ends with 130, too", async () => {
  using scene = makeScene();
  const running = scene.start(["run", "-", "--model=m", "--base-url=http://127.0.0.1:9/v1", "--events"]);
  await running.write(MORE_THAN_A_PIPE);
  running.kill("SIGINT");
  const { code, stdout } = await running.ended();
  const { end } = readEvents(stdout);
  assertEquals([code, end.exit_code, end.termination_reason], [130, 130, "interrupted"]);
});

Deno.test("run ends at once on a second signal", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel(() => RUNAWAY);
  const running = await startAgent(scene, model, ["Go", "--quiet"]);
  await untilBusy(running.pid);
  const below = descendants(running.pid).map(({ pid }) => pid);
  running.kill("SIGINT");
  running.kill("SIGTERM");
  const { code } = await running.ended();
  assert([130, 143].includes(code), String(code));
  await until("the end of all processes", () => !below.some(isAlive));
});

Deno.test("run --resume after a real kill -9 in the middle of a call", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([RUNAWAY]);
  const running = await startAgent(scene, model, ["Go", "--session=s1"]);
  await untilBusy(running.pid);
  const below = descendants(running.pid).map(({ pid }) => pid);
  running.kill("SIGKILL");
  await running.ended();
  await until("the end of the rooms", () => !below.some(isAlive));
  scene.write("ws/evil.txt", "harmless now\n");
  await using next = scriptedModel([{ text: "Found nothing." }]);
  const { code, run, stderr } = await tell(scene, next, ["--resume"]);
  assertEquals([code, run.answer, run.session_id], [0, "Found nothing.", "s1"], stderr);
  const lines = await readTrace(tracePath(scene));
  assertEquals(callsIn(lines), ["g", "r", "w"]);
  assertEquals(lines.filter(({ t }) => t === "run").length, 2);
  assertEquals([scene.exists("ws/b.txt"), foldTrace(lines).hasOpenCalls], [true, false]);
});

Deno.test("run --tasks ends on Ctrl-C: nothing is left at work, and what was is kept", async () => {
  const tasks = ["say a", "hang", "hang"].map((prompt, at) => JSON.stringify({ id: "abc"[at], prompt }));
  using scene = makeScene({ "tasks.jsonl": `${tasks.join("\n")}\n` });
  let isOver = false;
  await using model = scriptedModel((request, n) =>
    !/\bhang\b/.test(JSON.stringify(request.body.messages)) || isOver
      ? { text: `done ${n}` }
      : { text: "I begin.", stallAfter: 2 }
  );
  const words = [`--tasks=${scene.at("tasks.jsonl")}`, "--max-runs=2"];
  const running = await startAgent(scene, model, words);
  const first = JSON.parse(await running.nextLine() ?? "");
  await until("all requests", () => model.requests.length === 3);
  const below = descendants(running.pid).map(({ pid }) => pid);
  running.kill("SIGINT");
  const { code, stdout, stderr } = await running.ended();
  const answers = (parseLines(stdout) as TaskAnswer[]).filter(({ id }) => id !== "a");
  assertEquals([code, first.id, first.ok], [130, "a", true], stderr);
  assertEquals(answers.map(({ id, termination_reason }) => [id, termination_reason]), [
    ["b", "interrupted"],
    ["c", "interrupted"],
  ]);
  await until("the end of all processes", () => !below.some(isAlive));
  for (const { session_id } of answers) {
    assertStringIncludes(stderr, `go on with bulkhead run --resume ${session_id}`);
  }
  isOver = true;
  const resumed = await runAgent(scene, model, [`--resume=${answers[1]!.session_id}`]);
  assertEquals([resumed.code, resumed.stdout], [0, "done 3\n"], resumed.stderr);
});

function tracePath(scene: Scene): string {
  return scene.at("state/bulkhead/sessions/s1/trace.jsonl");
}

/** Ids of the calls that have a result, each once, sorted. */
function callsIn(lines: readonly TraceLine[]): string[] {
  const ids = lines.flatMap((line) => line.t === "result" ? [line.id] : []);
  assertEquals(new Set(ids).size, ids.length);
  return ids.sort();
}

Deno.test("run --resume has the tools and servers that its session named, and goes on without those that are gone", async () => {
  const server = join(import.meta.dirname!, "../../fixtures/mcp/growing_server.sh");
  using scene = makeScene({
    "own/add.ts": `import { defineTool } from "bulkhead";
      export default defineTool({ name: "add", description: "Add.", run: () => "sum" });`,
    "mcp.json": JSON.stringify({ mcpServers: { g: { command: "sh", args: [server] } } }),
    "elsewhere/c.txt": "",
  });
  await using model = scriptedModel(() => ({ text: "Done." }));
  const from = { cwd: scene.at("elsewhere") };
  const open = ["--sandbox=off", "--allow-run=sh"];
  const sources = ["--tools=../own/add.ts", "--mcp=../mcp.json"];
  const begun = await runAgent(scene, model, ["Go", "--session=s1", ...open, ...sources]);
  assertEquals(begun.code, 0, begun.stderr);
  assertEquals((await runAgent(scene, null, ["More", "--resume=s1"], from)).code, 0);
  Deno.removeSync(scene.at("mcp.json"));
  const without = await runAgent(scene, null, ["More", "--resume=s1"], from);
  assertEquals(without.code, 0, without.stderr);
  assertStringIncludes(without.stderr, `mcp.json`);
  const offered = model.requests.map(({ body }) => {
    // deno-lint-ignore no-explicit-any
    const names: string[] = body.tools.map((tool: any) => tool.function.name);
    return ["add", "mcp_g_grow"].filter((name) => names.includes(name));
  });
  assertEquals(offered, [["add", "mcp_g_grow"], ["add", "mcp_g_grow"], ["add"]]);
});
