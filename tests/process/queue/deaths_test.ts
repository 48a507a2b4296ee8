import { assertEquals, assertStringIncludes } from "@std/assert";

import { until } from "../../support/cli/processes.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { assertIds, makeQueueScene, queueTest } from "../../support/cli/queue/queue_scene.ts";

const bash = (command: string) => ({ tool: "Bash", arguments: { command } });
const LONG_MS = 60_000;

queueTest("a call that changes something, and whose worker died, is not begun again", async () => {
  await using queue = await makeQueueScene();
  const { scene } = queue;
  const first = await queue.worker(["--lease", "1"]);
  const calls = [{
    id: "b",
    ...bash("echo once >> log; while [ ! -e go ]; do sleep 0.05; done; echo end >> log"),
  }];
  const running = await queue.start(calls, ["--json"]);
  await until("the call is at work", () => scene.exists("ws/log"), LONG_MS);
  await queue.worker(["--lease", "1"]);
  first.kill("SIGKILL");
  const { code, stdout } = await running.ended();
  const [answer] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals([code, answer.error.code, answer.error.details.outcome], [1, "unavailable", "unknown"]);
  assertStringIncludes(answer.text, "--retry-unsafe");
  scene.write("ws/go", "");
  assertEquals(scene.read("ws/log"), "once\n");
  // With the opt-in it is begun again.
  Deno.removeSync(scene.at("ws/log"));
  const again = await queue.batch([bash("echo twice >> log")], ["--retry-unsafe"]);
  assertEquals([again.code, scene.read("ws/log")], [0, "twice\n"]);
}, { box: true });

queueTest("a call that only reads, and whose worker died, is done by another", async () => {
  await using queue = await makeQueueScene();
  const { scene } = queue;
  const words = ["--lease", "1", "--tools", scene.at("waits.ts")];
  const first = await queue.worker(words);
  const running = await queue.start([
    { id: "a", tool: "own/waits", arguments: { path: "go" } },
    { id: "b", tool: "own/waits", arguments: { path: "go" } },
  ], ["--events"]);
  await untilTold(running, "tool.progress");
  first.kill("SIGKILL");
  await queue.worker(words);
  scene.write("ws/go", "now");
  const { code, stdout } = await running.ended();
  const ends = stdout.trim().split("\n").map((line) => JSON.parse(line)).filter(({ type }) =>
    type === "tool.end"
  );
  assertEquals(ends.map(({ id, result }) => [id, result.result]), [["a", "now"], ["b", "now"]]);
  assertEquals(code, 0);
});

queueTest("a call that loses its workers again and again is given up, and is a dead letter", async () => {
  await using queue = await makeQueueScene();
  const { scene, url } = queue;
  const words = ["--lease", "1", "--tools", scene.at("waits.ts")];
  const running = await queue.start(
    [{ id: "poison", tool: "own/waits", arguments: { path: "never" } }],
    ["--events", "--tries", "2"],
  );
  for (let tries = 0; tries < 2; tries++) {
    const worker = await queue.worker(words);
    await untilTold(running, "tool.progress");
    worker.kill("SIGKILL");
    await worker.ended();
  }
  await queue.worker(words);
  const { code, stdout } = await running.ended();
  const end = stdout.trim().split("\n").map((line) => JSON.parse(line)).find(({ type }) =>
    type === "tool.end"
  );
  assertEquals([code, end.result.error.code, end.result.error.details.outcome], [1, "unavailable", "dead"]);
  assertEquals(end.result.error.details.begun.length, 2);
  const status = JSON.parse((await scene.run(["queue", "status", url, "--json"])).stdout);
  assertEquals([status.dead.count, status.dead.newest[0].number], [1, 1]);
});

queueTest(
  "a job goes on after its submitter was killed: nothing is done twice, nothing is lost",
  async () => {
    await using queue = await makeQueueScene();
    const { scene } = queue;
    await queue.worker();
    const calls = [
      ...Array.from({ length: 4 }, (_, at) => ({ id: at, ...bash(`echo ${at} >> log`) })),
      { id: "w", ...bash("echo w >> log; while [ ! -e go ]; do sleep 0.05; done") },
      { id: "last", ...bash("echo last >> log") },
    ];
    const first = await queue.start(calls, ["--job", "night"]);
    await until(
      "the fifth call is at work",
      () => scene.exists("ws/log") && scene.read("ws/log").includes("w"),
      LONG_MS,
    );
    first.kill("SIGKILL");
    await first.ended();
    const second = await queue.start(calls, ["--job", "night"]);
    await second.told(/goes on: [1-9]\d* outcomes are there already/);
    scene.write("ws/go", "");
    const { code, stdout } = await second.ended();
    assertEquals(code, 0);
    const answers = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assertIds({ answers }, [0, 1, 2, 3, "w", "last"]);
    assertEquals(scene.read("ws/log"), "0\n1\n2\n3\nw\nlast\n");
    // Another file with the name of a job that was not finished is refused.
    const third = await queue.start([...calls, calls[4]!], ["--job", "other"]);
    await until("it is at work", () => scene.read("ws/log").endsWith("last\nw\n"), LONG_MS);
    third.kill("SIGKILL");
    await third.ended();
    const wrong = await queue.batch([bash("echo else")], ["--job", "other"]);
    assertEquals([wrong.code, wrong.answers[0]!.error?.code], [1, "conflict"]);
  },
  { box: true },
);

queueTest(
  "a batch goes on while a node of the queue's cluster is lost, and status says how it stands",
  async () => {
    await using queue = await makeQueueScene({}, { size: 3 });
    const { scene, nodes, url } = queue;
    const words = ["--queue-replicas", "3"];
    for (let count = 0; count < 2; count++) await queue.worker([...words, "--tools", scene.at("waits.ts")]);
    const calls = Array.from({ length: 60 }, (_, id) => ({
      id,
      tool: "own/waits",
      arguments: { path: id < 20 ? "now" : "go" },
    }));
    scene.write("ws/now", "now");
    const running = await queue.start(calls, ["--json", ...words]);
    const lines: string[] = [];
    while (lines.length < 20) lines.push(await running.nextLine() ?? "");
    await nodes[1]!.kill();
    scene.write("ws/go", "go");
    const { code, stdout } = await running.ended();
    assertEquals(code, 0);
    const answers = [...lines, ...stdout.trim().split("\n")].map((line) => JSON.parse(line));
    assertIds({ answers }, calls.map(({ id }) => id));
    const status = await scene.run(["queue", "status", url, "--json"]);
    assertEquals([status.code, JSON.parse(status.stdout).outcomes], [0, 60]);
  },
);

queueTest("a queue that is killed and comes back loses nothing and doubles nothing", async () => {
  await using queue = await makeQueueScene();
  const { scene, server } = queue;
  await queue.worker(["--max-parallel", "4"]);
  const calls = Array.from({ length: 40 }, (_, at) => ({ id: at, ...bash(`echo ${at} >> log; sleep 0.05`) }));
  const running = await queue.start(calls);
  await until(
    "some calls are done",
    () => scene.exists("ws/log") && scene.read("ws/log").split("\n").length > 8,
    LONG_MS,
  );
  await server.kill();
  await server.restart();
  const { code, stdout } = await running.ended();
  assertEquals(code, 0);
  assertIds(
    { answers: stdout.trim().split("\n").map((line) => JSON.parse(line)) },
    calls.map(({ id }) => id),
  );
  assertEquals(scene.read("ws/log"), calls.map(({ id }) => `${id}\n`).join(""));
}, { box: true });

queueTest("Ctrl-C at the submitter ends what is at work, and what waits is never begun", async () => {
  await using queue = await makeQueueScene();
  const { scene, url } = queue;
  await queue.worker();
  using sleepers = makeSleepers();
  const running = await queue.start([bash(`echo $$ > pid; ${sleepers.words}`), bash("echo never > never")], [
    "--json",
  ]);
  await until("the call is at work", () => scene.exists("ws/pid"), LONG_MS);
  await sleepers.run(1);
  running.kill("SIGINT");
  const { code, stdout } = await running.ended();
  assertEquals(code, 130);
  assertEquals(JSON.parse(stdout.split("\n")[0]!).error.code, "cancelled");
  await sleepers.gone();
  const status = JSON.parse((await scene.run(["queue", "status", url, "--json"])).stdout);
  assertEquals(status.lanes.reduce((sum: number, { waiting }: { waiting: number }) => sum + waiting, 0), 0);
  assertEquals(scene.exists("ws/never"), false);
}, { box: true });

queueTest("a worker that is told to end takes nothing more, and finishes what is at work", async () => {
  await using queue = await makeQueueScene();
  const { scene } = queue;
  const first = await queue.worker();
  const running = await queue.start([
    bash("touch begun; while [ ! -e go ]; do sleep 0.05; done; echo end"),
    bash("echo second"),
  ]);
  await until("the call is at work", () => scene.exists("ws/begun"), LONG_MS);
  first.kill("SIGTERM");
  await queue.worker();
  scene.write("ws/go", "");
  const [ended, { code, stdout }] = [await first.ended(), await running.ended()];
  assertEquals([ended.code, code], [143, 0]);
  const texts = stdout.trim().split("\n").map((line) => JSON.parse(line).text);
  assertStringIncludes(texts[0], "end");
  assertStringIncludes(texts[1], "second");
}, { box: true });

/** Reads events until one of this kind comes. */
async function untilTold(running: { nextLine(): Promise<string | null> }, type: string): Promise<void> {
  for (let line = await running.nextLine(); line !== null; line = await running.nextLine()) {
    if (JSON.parse(line).type === type) return;
  }
  throw new Error(`no ${type} was told`);
}
