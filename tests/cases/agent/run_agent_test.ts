import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { scriptedModel } from "../../support/scripted_model.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
import { until } from "../../support/cli/processes.ts";
import { makeScene } from "../../support/cli/scene.ts";

const FILES = { "ws/a.txt": "one TODO here\n", "outside.txt": "no\n" };
/** As many as a server would count. */
const USAGE = { prompt_tokens: 5_000, completion_tokens: 50 };
const LOOK = {
  text: "Let me look.",
  usage: USAGE,
  tool_calls: [
    { id: "c1", name: "Grep", arguments: { pattern: "TODO" } },
    { id: "c2", name: "Read", arguments: { path: "../outside.txt" } },
  ],
};
const ANSWER = { text: "There is one TODO, in a.txt.", usage: USAGE };

Deno.test("run answers on stdout, and shows on stderr what happens", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([LOOK, ANSWER]);
  const { code, stdout, stderr } = await runAgent(scene, model, ["Find the TODOs"]);
  assertEquals([code, stdout], [0, "There is one TODO, in a.txt.\n"], stderr);
  const lines = stderr.split("\n");
  assertMatch(lines[0]!, /^test-model · policy coder · \/.* · session \d{8}-\d{6}-[0-9a-f]{8}$/);
  assertEquals(lines[1], "Let me look.");
  assertMatch(lines[2]!, /^ok {6}Grep pattern=TODO \(\d+\.\d s\): 1 match in 1 file$/);
  assertMatch(
    lines[3]!,
    /^refused Read path=\.\.\/outside\.txt \(.* s\): .*pass --allow-read=.*\/outside\.txt /,
  );
  assertMatch(lines[4]!, /^2 rounds · 2 calls \(1 failed\) · 10100 tokens · .* s · session /);
  assertMatch(lines[5]!, /^refused Read; to allow it: --allow-read=\/.*\/outside\.txt$/);
  assertMatch(lines[6]!, /^go on {3}bulkhead run --resume \S+ '…'$/);
  assertEquals([lines.length, stderr.includes("\x1b"), stderr.includes("\r")], [8, false, false], stderr);
  const [first, second] = model.requests;
  assertEquals(first?.body.model, "test-model");
  assertEquals(first?.body.messages.map(({ role }: { role: string }) => role), ["system", "user"]);
  const results = second?.body.messages.slice(-2).map((message: Record<string, unknown>) =>
    message.tool_call_id
  );
  assertEquals(results, ["c1", "c2"]);
});

Deno.test("run says in one line that there is no sandbox, and which flag lets programs run", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel(() => ANSWER);
  const words = ["run", "Hi", "--model=m", `--base-url=${model.url}`, "--no-session"];
  const { code, stderr } = await scene.run(words, { env: { PATH: scene.at("nothing") } });
  const lines = stderr.split("\n").filter((line) => line.includes("no sandbox here"));
  assertEquals([code, lines.length], [0, 1], stderr);
  assertMatch(lines[0]!, /programs are refused; --allow-run=bash lets/);
});

Deno.test("run --json prints one document, and -o writes it to a file", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([LOOK, ANSWER, ANSWER]);
  const { code, run } = await tell(scene, model, ["Find the TODOs", "--quiet"]);
  assertEquals([code, run.answer, run.termination_reason, run.error], [0, ANSWER.text, "completed", null]);
  assertEquals(run.usage, {
    input_tokens: 10_000,
    cached_tokens: 0,
    output_tokens: 100,
    rounds: 2,
    calls: 2,
    failed: 1,
    cost: null,
    estimated: false,
  });
  assertEquals(run.trace_path, `${scene.at("state")}/bulkhead/sessions/${run.session_id}/trace.jsonl`);
  assertEquals(run.model, "test-model");
  const silent = await runAgent(scene, model, ["Again", "--quiet", "-o", "answer.txt"]);
  assertEquals([silent.code, silent.stdout, silent.stderr], [0, "", ""]);
  assertEquals(scene.read("ws/answer.txt"), `${ANSWER.text}\n`);
});

Deno.test("run takes its prompt from stdin, with a prompt beside it, and with files", async () => {
  using scene = makeScene({ ...FILES, "ws/AGENTS.md": "Be brief.\n", "ws/role.md": "You are a pirate.\n" });
  await using model = scriptedModel(() => ANSWER);
  const stdin = "the piped text\n";
  assertEquals((await runAgent(scene, model, ["-"], { stdin })).code, 0);
  assertEquals((await runAgent(scene, model, ["Sum up @a.txt", "-"], { stdin })).code, 0);
  const words = ["Sum up", "--no-project", "--role-prompt=role.md"];
  assertEquals((await runAgent(scene, model, words, { stdin })).code, 0);
  const said = model.requests.map(({ body }) => JSON.stringify(body.messages));
  assertEquals(said.map((text) => text.includes("the piped text")), [true, true, true]);
  assertEquals(said.map((text) => text.includes("one TODO here")), [false, true, false]);
  assertEquals(said.map((text) => text.includes("Be brief.")), [true, true, false]);
  assertEquals(said.map((text) => text.includes("You are a pirate.")), [false, false, true]);
});

/** A picture of one point. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

Deno.test("run --image shows the model a picture, also under a policy that only reads", async () => {
  using scene = makeScene(FILES);
  scene.write("ws/point.png", Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0)));
  await using model = scriptedModel(() => ANSWER);
  const words = ["What is it?", "--image=point.png", "--policy=read-only"];
  for (const more of [[], ["--no-session"]]) {
    const { code, stderr } = await tell(scene, model, [...words, ...more]);
    assertEquals(code, 0, stderr);
  }
  for (const { body } of model.requests) {
    assertStringIncludes(JSON.stringify(body.messages), `"url":"data:image/png;base64,${PNG}"`);
  }
  const missing = await tell(scene, model, ["What is it?", "--image=none.png"]);
  assertEquals([missing.code, missing.run.error?.code], [2, "invalid_input"]);
});

Deno.test("run does not wait for a stdin that nobody writes to, unless it is named", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel(() => ANSWER);
  const words = ["run", "Go", "--model=m", `--base-url=${model.url}`];
  const [unnamed, named] = [scene.start(words), scene.start([...words, "-"])];
  await until("the answer", () => model.requests.length === 1);
  const { code, stdout, stderr } = await unnamed.ended();
  assertEquals([code, stdout], [0, `${ANSWER.text}\n`]);
  assertStringIncludes(stderr, "nothing came on stdin in 3 s");
  await named.write("late");
  await named.closeInput();
  assertEquals((await named.ended()).code, 0);
  assertStringIncludes(JSON.stringify(model.requests[1]?.body.messages), "late");
});

Deno.test("run without a prompt, a model or a key says what is missing", async () => {
  using scene = makeScene();
  const key = { OPENAI_API_KEY: "sk-canary-1234567890abcdef" };
  const cases: readonly (readonly [readonly string[], Record<string, string>, number, string])[] = [
    [[], key, 2, "No prompt"],
    [["x"], key, 6, "OPENAI_MODEL"],
    [["x", "--model=m"], {}, 4, "OPENAI_API_KEY"],
    [["x", "--model=m", "--base-url=ftp://x"], key, 2, "--base-url"],
    [["x", "--model=replay:none.jsonl"], {}, 2, "none.jsonl"],
    [["x", "--model=m", "--max-cost=1"], key, 6, "prices"],
    [["x", "--model=m", "--policy=nonsense"], key, 2, "nonsense"],
  ];
  for (const [words, env, code, part] of cases) {
    const { run, stderr } = await tell(scene, null, words, { env });
    assertEquals([run.exit_code, run.answer, run.usage.rounds], [code, null, 0], words.join(" "));
    assertStringIncludes(run.error?.message ?? "", part);
    assertStringIncludes(stderr, part);
    const { stdout } = await runAgent(scene, null, [...words, "--events"], { env });
    const { end } = readEvents(stdout);
    assertEquals([end.exit_code, end.termination_reason], [
      code,
      code === 4 ? "unauthenticated" : "not_started",
    ]);
  }
});

Deno.test("run keeps keys out of its output, its trace and its audit", async () => {
  using scene = makeScene(FILES);
  const key = "sk-canary-1234567890abcdef";
  await using model = scriptedModel([
    { text: `The key is ${key}.`, tool_calls: [{ id: "c", name: "Grep", arguments: { pattern: key } }] },
    { status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } },
  ]);
  const env = { OPENAI_API_KEY: key };
  const words = ["Find", "--events", "--audit=audit.jsonl", "--session=s1", "--record=rec.jsonl"];
  const { code, stdout, stderr } = await runAgent(scene, model, words, { env });
  assertEquals([code, model.requests[0]?.headers.get("authorization")], [4, `Bearer ${key}`]);
  const trace = scene.read("state/bulkhead/sessions/s1/trace.jsonl");
  for (const text of [stdout, stderr, trace, scene.read("ws/audit.jsonl"), scene.read("ws/rec.jsonl")]) {
    assertEquals(text.includes("canary"), false, text);
  }
});

Deno.test("run --output-schema prints JSON that fits, or ends with code 8", async () => {
  using scene = makeScene({
    "ws/schema.json": JSON.stringify({
      type: "object",
      properties: {
        files: { type: "array", items: { type: "string", pattern: "^\\w+\\.txt$" }, uniqueItems: true },
      },
      required: ["files"],
      additionalProperties: false,
    }),
    "ws/broken.json": JSON.stringify({ $ref: "#/nowhere" }),
  });
  const repaired = ['{"files":["a.md"]}', "I am sorry.", '```json\n{"files":["a.txt"]}\n```'];
  await using model = scriptedModel(repaired.map((text) => ({ text })));
  const { code, stdout, stderr } = await runAgent(scene, model, ["List", "--output-schema=schema.json"]);
  assertEquals([code, stdout], [0, '{"files":["a.txt"]}\n'], stderr);
  await using stubborn = scriptedModel(() => ({ text: '{"files":["a.txt","a.txt"]}' }));
  const invalid = await tell(scene, stubborn, ["List", "--output-schema=schema.json"]);
  assertEquals([invalid.code, invalid.run.termination_reason], [8, "output_invalid"]);
  assertEquals([invalid.run.error?.code, "output" in invalid.run], ["output_invalid", false]);
  const broken = await tell(scene, stubborn, ["List", "--output-schema=broken.json"]);
  assertEquals([broken.code, broken.run.error?.code], [2, "invalid_input"]);
});
