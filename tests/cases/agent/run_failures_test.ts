import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { AgentTermination } from "../../../schemas/agent/agent.ts";
import { scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

const FILES = { "ws/a.txt": "hello\n" };
const ANSWER: ScriptedTurn = { text: "Done." };
const read = (path: string, id = "c"): ScriptedTurn => ({
  tool_calls: [{ id, name: "Read", arguments: { path } }],
});
const failing = (status: number, message = "no"): ScriptedTurn => ({ status, body: { error: { message } } });

interface Case {
  name: string;
  script: readonly ScriptedTurn[] | ((request: unknown, n: number) => ScriptedTurn);
  words?: readonly string[];
  code: number;
  reason: AgentTermination;
  requests?: number;
}

const CASES: readonly Case[] = [
  { name: "401", script: [failing(401)], code: 4, reason: "unauthenticated", requests: 1 },
  { name: "400", script: [failing(400)], code: 5, reason: "model_unreachable", requests: 1 },
  { name: "404", script: [failing(404)], code: 5, reason: "model_unreachable", requests: 1 },
  {
    name: "a model that the server does not know",
    script: [failing(404, 'model "test-model" not found'), { body: { data: [{ id: "test-models" }] } }],
    code: 6,
    reason: "model_unknown",
    requests: 2,
  },
  { name: "no money", script: [failing(402)], code: 5, reason: "model_unreachable", requests: 1 },
  { name: "one 500", script: [failing(500), ANSWER], code: 0, reason: "completed", requests: 2 },
  {
    name: "429 with Retry-After",
    script: [{ ...failing(429), headers: { "retry-after": "1" } }, ANSWER],
    code: 0,
    reason: "completed",
    requests: 2,
  },
  {
    name: "a 429 that asks for more time than there is",
    script: () => ({ ...failing(429), headers: { "retry-after": "3600" } }),
    words: ["--max-time=20"],
    code: 5,
    reason: "rate_limited",
    requests: 1,
  },
  {
    name: "500s for longer than there is time",
    script: () => failing(500),
    words: ["--max-time=3"],
    code: 5,
    reason: "model_unreachable",
  },
  {
    name: "a stream that is cut",
    script: [{ text: "The answer is forty-two, I think.", cutAfter: 2 }, ANSWER],
    code: 0,
    reason: "completed",
    requests: 2,
  },
  {
    name: "an endless loop",
    script: () => read("a.txt"),
    code: 7,
    reason: "repeated_call",
    requests: 3,
  },
  {
    name: "too many rounds",
    script: (_, n) => read(`${n}.txt`, `c${n}`),
    words: ["--max-rounds=4"],
    code: 7,
    reason: "max_rounds",
    requests: 4,
  },
  {
    name: "200 calls in a turn, 20 allowed",
    script: [
      {
        tool_calls: Array.from(
          { length: 200 },
          (_, n) => ({ id: `c${n}`, name: "Read", arguments: { path: `${n}` } }),
        ),
      },
      ANSWER,
    ],
    words: ["--max-calls=20"],
    code: 7,
    reason: "max_calls",
    requests: 1,
  },
  {
    name: "too many tokens",
    script: (_, n) => ({ ...read(`${n}.txt`), usage: { prompt_tokens: 5_000, completion_tokens: 10 } }),
    words: ["--max-tokens=8000"],
    code: 7,
    reason: "max_tokens",
    requests: 2,
  },
  {
    name: "useless replies",
    script: () => ({ text: "" }),
    code: 5,
    reason: "too_many_faults",
    requests: 5,
  },
  {
    name: "replies that are cut off",
    script: (_, n) => ({ text: `Part ${n}`, finish: "length" }),
    code: 7,
    reason: "cut_off",
    requests: 5,
  },
  {
    name: "a conversation that the provider refuses for its length",
    script: () => ({
      status: 400,
      body: { error: { message: "too long", code: "context_length_exceeded" } },
    }),
    code: 7,
    reason: "context_overflow",
  },
  {
    name: "a model that is too slow",
    script: () => ({ ...ANSWER, delayMs: 60_000 }),
    words: ["--max-time=1.5"],
    code: 124,
    reason: "max_time",
  },
  {
    name: "broken arguments, unknown tools and equal ids",
    script: [
      {
        tool_calls: [
          { id: "x", name: "Raed", arguments: { path: "a.txt" } },
          { id: "x", name: "Read", arguments: '{"path": "a.t' as unknown },
          { id: "x", name: "Read", arguments: { path: "a.txt" } },
        ],
      },
      ANSWER,
    ],
    code: 0,
    reason: "completed",
    requests: 2,
  },
];

for (const { name, script, words = [], code, reason, requests } of CASES) {
  Deno.test(`run ends with ${code} and ${reason}: ${name}`, async () => {
    using scene = makeScene(FILES);
    await using model = scriptedModel(script);
    const told = await tell(scene, model, ["Go", ...words]);
    assertEquals([told.code, told.run.termination_reason], [code, reason], told.stderr);
    assertEquals(told.run.error === null, code === 0);
    if (requests !== undefined) assertEquals(model.requests.length, requests);
    if (told.run.error) assertStringIncludes(told.stderr, `bulkhead: ${reason}: `);
  });
}

Deno.test("run ends with 5 if nobody listens at the model's address", async () => {
  using scene = makeScene(FILES);
  const words = ["Go", "--model=m", "--base-url=http://127.0.0.1:9/v1", "--max-time=2"];
  const { code, run } = await tell(scene, null, words);
  // Either its tries are used up first, or its time.
  assert([5, 124].includes(code), JSON.stringify(run));
});

Deno.test("run counts costs by the configured prices", async () => {
  using scene = makeScene({
    ...FILES,
    "home/.config/bulkhead/config.json": JSON.stringify({
      models: { "test-model": { prices: { input: 1000, output: 2000 } } },
      agent: { max_cost: 25 },
    }),
    "ws/bulkhead.json": JSON.stringify({
      agent: { model: "other", max_cost: 12, max_rounds: 1_000_000 },
      models: { "test-model": { base_url: "http://evil.example/v1" } },
    }),
  });
  const usage = { prompt_tokens: 5_000, completion_tokens: 1_000 };
  await using model = scriptedModel((_, n) => ({ ...read(`${n}.txt`), usage }));
  const { code, run, stderr } = await tell(scene, model, ["Go"]);
  assertEquals([code, run.termination_reason, run.usage.cost], [7, "max_cost", 14], stderr);
  for (const part of ["agent.model ignored", "agent.max_rounds ignored", "models ignored"]) {
    assertStringIncludes(stderr, part);
  }
});

Deno.test("run --events takes text back when a stream is cut, and tells of the retry", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([{ text: "The answer is forty-two, I think.", cutAfter: 2 }, ANSWER]);
  const { stdout } = await runAgent(scene, model, ["Go", "--events"]);
  const { events, end } = readEvents(stdout);
  const deltas = events.flatMap((event) => event.type === "text.delta" ? [event] : []);
  const said = deltas.reduce((text, delta) => (delta.restart ? "" : text) + delta.text, "");
  assertEquals([said, end.answer], ["Done.", "Done."]);
  assert(events.some(({ type }) => type === "retry"));
});

Deno.test("run stops when nobody reads its events any more", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel((_, n) => read(`${n}.txt`));
  const words = ["run", "Go", "--events", "--model=m", `--base-url=${model.url}`];
  const running = scene.start(words);
  await running.closeInput();
  await running.nextLine();
  await running.closeOutput();
  const { code } = await running.ended();
  assertEquals(code, 141);
});
