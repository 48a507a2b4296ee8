import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { foldTrace } from "../../../runtime/agent/conversation/conversation.ts";
import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import type { Running } from "../../support/program.ts";
import { readEvents, runAgent, startAgent, tell } from "../../support/cli/agent_scene.ts";
import { descendants, isAlive, MORE_THAN_A_PIPE, until, untilBusy } from "../../support/cli/processes.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

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

const WORK: readonly ScriptedTurn[] = [
  { text: "First I look.", tool_calls: [{ id: "c1", name: "Read", arguments: { path: "a.txt" } }] },
  {
    tool_calls: [
      { id: "c2", name: "Write", arguments: { path: "made.txt", content: "made\n" } },
      { id: "c3", name: "Glob", arguments: { pattern: "*.txt" } },
    ],
  },
  { tool_calls: [{ id: "c4", name: "Read", arguments: { path: "made.txt" } }] },
  { text: "All is made." },
];

Deno.test("run --resume goes on after kill -9 at any point and gives the same answer", async () => {
  using recorded = makeScene(FILES);
  await using model = scriptedModel(WORK);
  const recording = recorded.at("run.jsonl");
  const whole = await tell(recorded, model, ["Make it", `--record=${recording}`]);
  assertEquals([whole.code, whole.run.answer], [0, "All is made."], whole.stderr);
  const lines = (await Deno.readTextFile(whole.run.trace_path!)).split("\n").slice(0, -1);
  // A kill leaves the lines up to some point; whatever was written stays written.
  const cuts = lines.map((_, at) => at + 1).slice(3);
  await Promise.all(cuts.map(async (cut) => {
    using scene = makeScene({ ...FILES });
    const kept = lines.slice(0, cut).join("\n").replaceAll(recorded.root, scene.root);
    if (lines.slice(0, cut).some((line) => line.includes('"t":"call"') && line.includes('"c2"'))) {
      scene.write("ws/made.txt", "made\n");
    }
    scene.write("state/bulkhead/sessions/s1/trace.jsonl", `${kept}\n${cut % 2 === 0 ? '{"t":"repl' : ""}`);
    const words = [`--model=replay:${recording}`, "--resume", "s1"];
    const { code, run, stderr } = await tell(scene, null, words);
    assertEquals([code, run.answer], [0, "All is made."], `after line ${cut}: ${stderr}`);
    const resumed = await readTrace(run.trace_path!);
    assertEquals(callsIn(resumed), ["c1", "c2", "c3", "c4"], `after line ${cut}`);
  }));
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

Deno.test("run --resume with a prompt asks more in the same conversation", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([{ text: "Blue." }, { text: "As I said: blue." }]);
  const first = await tell(scene, model, ["Which colour?", "--session=s1"]);
  assertEquals([first.code, first.run.answer], [0, "Blue."]);
  const again = await tell(scene, model, ["Which colour?", "--session=s1"]);
  assertEquals([again.code, again.run.error?.code], [1, "conflict"]);
  assertStringIncludes(again.stderr, "--resume s1");
  const more = await tell(scene, model, ["Are you sure?", "--resume=s1"]);
  assertEquals([more.code, more.run.answer, more.run.session_id], [0, "As I said: blue.", "s1"]);
  const said = model.requests[1]?.body.messages.map(({ role }: { role: string }) => role);
  assertEquals(said, ["system", "user", "assistant", "user"]);
  const { code, stdout } = await scene.run(["sessions", "--json"]);
  assertEquals([code, JSON.parse(stdout).map(({ id }: { id: string }) => id)], [0, ["s1"]]);
});

Deno.test("run --no-session keeps nothing", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([{ text: "Done." }]);
  const { code, run } = await tell(scene, model, ["Go", "--no-session"]);
  assertEquals([code, run.session_id, run.trace_path], [0, null, null]);
  assertEquals(scene.exists("state/bulkhead/sessions"), false);
  const { code: refused, stderr } = await runAgent(scene, model, ["--no-session", "--resume"]);
  assertEquals(refused, 2);
  assert(stderr.includes("--no-session"));
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
