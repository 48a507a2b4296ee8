import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makePdf, showLines } from "../../../scripts/bench/make_pdf.ts";
import { assertIds, makeQueueScene, queueTest } from "../../support/cli/queue/queue_scene.ts";

const grep = { tool: "Grep", arguments: { pattern: "TODO" } };
const write = (path: string) => ({ tool: "Write", arguments: { path, content: "x\n" } });

queueTest(
  "batch --queue answers as batch does: in order, with the same errors and the same code",
  async () => {
    await using queue = await makeQueueScene({ "ws/a.txt": "a TODO\n" });
    const { scene } = queue;
    const calls = [
      { id: "first", ...grep },
      ...Array.from({ length: 12 }, () => grep),
      { id: "w", ...write("new.txt") },
      { id: "r", tool: "Read", arguments: { path: "new.txt" } },
      { id: "gone", tool: "Read", arguments: { path: "gone.txt" } },
      { id: "nope", tool: "nope", arguments: {} },
      { id: "bad", tool: "Read", arguments: { path: 7, extra: true } },
    ];
    await queue.worker();
    const far = await queue.batch(calls);
    Deno.removeSync(scene.at("ws/new.txt"));
    const here = await scene.batch(calls);
    assertIds(far, here.answers.map(({ id }) => id));
    assertEquals(far.code, here.code);
    assertEquals(
      far.answers.map(({ id, ok, text, error }) => [id, ok, text, error?.code]),
      here.answers.map(({ id, ok, text, error }) => [id, ok, text, error?.code]),
    );
    assertEquals(far.answers[13]!.text, `[Write] Wrote file: ${scene.at("ws/new.txt")}`);
    assertStringIncludes(far.stderr, "18 calls: 15 ok, 3 failed");
  },
);

queueTest("a call goes to the worker whose permissions are enough, and to no other", async () => {
  await using queue = await makeQueueScene({ "narrow/a.txt": "", "wide/a.txt": "", "data/b.txt": "b\n" });
  const { scene } = queue;
  await queue.worker(["-C", scene.at("narrow"), "--policy", "read-only"]);
  await queue.worker(["-C", scene.at("wide"), `--allow-read=${scene.at("data")}`]);
  const read = { tool: "Read", arguments: { path: scene.at("data/b.txt") } };
  const { code, answers } = await queue.batch([
    ...Array.from({ length: 6 }, (_, at) => ({ id: `w${at}`, ...write(`${at}.txt`) })),
    ...Array.from({ length: 6 }, (_, at) => ({ id: `r${at}`, ...read })),
  ]);
  assertEquals(answers.filter(({ ok }) => !ok).map(({ error }) => error), []);
  assertEquals(code, 0);
  assert(scene.exists("wide/5.txt"));
  assertEquals([...Deno.readDirSync(scene.at("narrow"))].map(({ name }) => name), ["a.txt"]);
  // What all would refuse is refused, with the flag that would grant it.
  const refused = await queue.batch([{ tool: "Read", arguments: { path: scene.at("waits.ts") } }]);
  assertEquals([refused.code, refused.answers[0]!.error?.code], [3, "permission_denied"]);
  assertStringIncludes(refused.answers[0]!.text, "--allow-read=");
});

queueTest("whoever submits can take away, and nothing else", async () => {
  await using queue = await makeQueueScene({ "ws/a.txt": "a\n" });
  const { scene } = queue;
  await queue.worker();
  const denied = await queue.batch([write("b.txt")], ["--policy", "read-only"]);
  assertEquals([denied.code, denied.answers[0]!.error?.code], [3, "permission_denied"]);
  const closed = await queue.batch([{ tool: "Read", arguments: { path: "a.txt" } }], ["--deny-read=a.txt"]);
  assertEquals([closed.code, closed.answers[0]!.error?.code], [3, "permission_denied"]);
  assertEquals(scene.exists("ws/b.txt"), false);
  for (const word of ["--allow-write", "-A", "--tools=x.ts", "--session=s", "--policy=coder", "--job=a.b"]) {
    const { code, stderr } = await queue.batch([write("b.txt")], [word]);
    assertEquals(code, 2, word);
    assertStringIncludes(stderr, word.split("=")[0]!.replace(/^-A$/, "--allow-all"));
  }
  const elsewhere = await queue.batch([write("b.txt")], ["-C", scene.root]);
  assertEquals([elsewhere.code, elsewhere.answers[0]!.error?.code], [3, "permission_denied"]);
  const { code, stderr } = await scene.run(["batch", "-", "--job", "x"], { stdin: "" });
  assertEquals([code, stderr.includes("--queue URL")], [2, true]);
});

queueTest("tools that only workers have are found, and events are told", async () => {
  await using queue = await makeQueueScene({ "ws/there.txt": "it is here" });
  const { scene } = queue;
  await queue.worker(["--tools", scene.at("waits.ts")]);
  const running = await queue.start([{ id: "own", tool: "waits", arguments: { path: "there.txt" } }], [
    "--events",
  ]);
  const { code, stdout } = await running.ended();
  const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(code, 0);
  assertEquals(events.map(({ type }) => type).filter((type) => type !== "tool.progress"), [
    ...["run.start", "tool.start", "tool.end", "run.end"],
  ]);
  assertEquals(events.find(({ type }) => type === "tool.end").result.result, "it is here");
});

queueTest("files that calls leave come back from the worker", async () => {
  const pdf = makePdf([showLines([{ x: 50, y: 700, text: "one" }])]);
  await using queue = await makeQueueScene({ "ws/a.pdf": pdf });
  const { scene } = queue;
  await queue.worker();
  const { answers } = await queue.batch(
    [{ tool: "ReadPDF", arguments: { path: "a.pdf", render_pages: "1" } }],
    ["--files", scene.at("back")],
  );
  const { artifacts, warnings } = answers[0]!;
  assertEquals([artifacts.length > 0, warnings], [true, []]);
  for (const { path, bytes } of artifacts) {
    assertEquals([path.startsWith(scene.at("back/")), Deno.statSync(path).size], [true, bytes]);
  }
});

queueTest("without a worker that can take it, a call fails with what to start", async () => {
  await using queue = await makeQueueScene({});
  const none = await queue.batch([grep], ["--worker-wait", "0.2"]);
  assertEquals([none.code, none.answers[0]!.error?.code], [1, "unavailable"]);
  assertStringIncludes(none.answers[0]!.text, "bulkhead worker --queue URL");
  await queue.worker(["--policy", "read-only"]);
  const { answers } = await queue.batch([grep, write("a.txt")], ["--worker-wait", "0.2"]);
  assertEquals(answers.map(({ error }) => error?.code), [undefined, "unavailable"]);
});

queueTest("a queue that is not there is told after its time", async () => {
  await using queue = await makeQueueScene({});
  const { scene } = queue;
  const url = "nats://127.0.0.1:1";
  const ended = await scene.run(["batch", "-", "--queue", url], { stdin: "", timeoutMs: 120_000 });
  assertEquals(ended.code, 5);
  assertStringIncludes(ended.stderr, "at 127.0.0.1:1 within 10 s: ");
});
