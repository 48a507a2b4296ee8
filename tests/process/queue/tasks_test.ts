import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { parseLines } from "../../support/cli/scene.ts";
import { makeQueueScene, type QueueScene, queueTest } from "../../support/cli/queue/queue_scene.ts";

/** What the model says after `say`; with `chart` it draws one first. */
function model() {
  return scriptedModel(({ body }): ScriptedTurn => {
    const { content } = body.messages.find(({ role }: { role: string }) => role === "user");
    const text = typeof content === "string"
      ? content
      : content.map(({ text = "" }: { text?: string }) => text).join("");
    const isAnswered = body.messages.at(-1).role === "tool";
    if (/write/.test(text) && !isAnswered) {
      const path = /write (\S+)/.exec(text)![1]!;
      return { tool_calls: [{ id: "w", name: "Write", arguments: { path, content: "x\n" } }] };
    }
    return { text: /say (\w+)/.exec(text)?.[1] ?? "done" };
  });
}

async function runTasks(queue: QueueScene, tasks: readonly object[], words: readonly string[] = []) {
  const stdin = tasks.map((task) => `${JSON.stringify(task)}\n`).join("");
  const args = ["run", "--tasks", "-", "--queue", queue.url, ...words];
  const { code, stdout, stderr } = await queue.scene.run(args, { stdin, timeoutMs: 180_000 });
  // deno-lint-ignore no-explicit-any
  return { code, stderr, lines: parseLines(stdout) as any[] };
}

queueTest(
  "run --tasks --queue has tasks done by workers with a model, in order, with their ends",
  async () => {
    await using queue = await makeQueueScene({ "bare/a.txt": "" });
    await using asked = model();
    await queue.worker(["-C", queue.scene.at("bare")]);
    await queue.worker(["--model=test-model", `--base-url=${asked.url}`, "--max-parallel", "2"]);
    const { code, lines, stderr } = await runTasks(queue, [
      { id: "a", prompt: "say one" },
      { id: "b", prompt: "write b.txt" },
      { promt: "x" },
      { id: "c", prompt: "write c.txt", grants: { policy: "read-only" } },
      { id: "d", prompt: "say four", agent: "nobody" },
      { id: "e", prompt: "say five" },
    ], ["--worker-wait", "1"]);
    assertEquals(
      lines.map(({ id, ok, answer, error }) => [id, ok, answer, error?.code]),
      [
        ["a", true, "one", undefined],
        ["b", true, "done", undefined],
        [3, false, null, "invalid_input"],
        ["c", true, "done", undefined],
        ["d", false, null, "unavailable"],
        ["e", true, "five", undefined],
      ],
    );
    assertEquals(code, 2, stderr);
    assert(queue.scene.exists("ws/b.txt") && !queue.scene.exists("ws/c.txt"));
    assertEquals(lines[3].refused.length, 1);
    assert(lines[0].worker && lines[0].session_id && lines[0].usage.rounds === 1);
    assertStringIncludes(stderr, "6 tasks: 4 ok");
  },
);

queueTest("events of tasks come back, and what is taken away for all holds for each", async () => {
  await using queue = await makeQueueScene();
  await using asked = model();
  await queue.worker(["--model=test-model", `--base-url=${asked.url}`]);
  const tasks = [{ id: "a", prompt: "write a.txt" }, { id: "b", prompt: "say two" }];
  const { code, lines } = await runTasks(queue, tasks, ["--events", "--policy", "read-only"]);
  assertEquals(code, 0);
  const of = (task: string) => lines.filter((event) => event.task === task).map(({ type }) => type);
  assertEquals([of("a").at(-1), of("b").at(-1), lines.at(-1).type], ["run.end", "run.end", "run.end"]);
  assert(of("a").includes("tool.end"));
  assertEquals(queue.scene.exists("ws/a.txt"), false);
});

queueTest("queue status shows who works, and a worker answers for its metrics", async () => {
  await using queue = await makeQueueScene();
  const { scene, url } = queue;
  const token = "a-token-of-the-test";
  const worker = await queue.worker(["--port", "0"], { env: { BULKHEAD_SERVE_TOKEN: token } });
  const [, address] = await worker.told(/metrics on (http:\S+)\/metrics/);
  await queue.batch([{ tool: "Write", arguments: { path: "a.txt", content: "a" } }]);
  const headers = { authorization: `Bearer ${token}` };
  const metrics = await (await fetch(`${address}/metrics`, { headers })).text();
  assertStringIncludes(metrics, 'bulkhead_orders_total{outcome="ok"} 1');
  assertStringIncludes(metrics, 'bulkhead_calls_total{tool="harness/Write",outcome="ok"} 1');
  const [refused, health] = [await fetch(`${address}/metrics`), await fetch(`${address}/health`)];
  assertEquals([refused.status, health.status], [401, 200]);
  await Promise.all([refused.body?.cancel(), health.body?.cancel()]);
  const status = JSON.parse((await scene.run(["queue", "status", url, "--json"])).stdout);
  assertEquals([status.v, status.workers.length, status.workers[0].done, status.dead.count], [1, 1, 1, 0]);
  const { stdout } = await scene.run(["queue", "status", url]);
  assertStringIncludes(stdout, "0 waiting, 0 at work, 1 worker with 3 places");
  const unknown = await scene.run(["queue", "cancel", url, "nojob"]);
  assertEquals([unknown.code, unknown.stderr.includes("queue status")], [1, true]);
});
