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

/** After these ends, no model has replied: there is no session to go on with. */
const UNANSWERED: readonly AgentTermination[] = [
  "unauthenticated",
  "model_unknown",
  "model_unreachable",
  "rate_limited",
];

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
  {
    name: "a model that the server does not know",
    script: [failing(404, 'model "test-model" not found'), { body: { data: [{ id: "test-models" }] } }],
    code: 6,
    reason: "model_unknown",
    requests: 2,
  },
  { name: "one 500", script: [failing(500), ANSWER], code: 0, reason: "completed", requests: 2 },
  {
    name: "a 429 that asks for more time than there is",
    script: () => ({ ...failing(429), headers: { "retry-after": "3600" } }),
    words: ["--max-time=20"],
    code: 5,
    reason: "rate_limited",
    requests: 1,
  },
  { name: "an endless loop", script: () => read("a.txt"), code: 7, reason: "repeated_call", requests: 3 },
  {
    name: "too many calls",
    script: (_, n) => read(`${n}.txt`, `c${n}`),
    words: ["--max-calls=2"],
    code: 7,
    reason: "max_calls",
  },
  {
    name: "too many tokens",
    script: (_, n) => ({ ...read(`${n}.txt`), usage: { prompt_tokens: 5_000, completion_tokens: 10 } }),
    words: ["--max-tokens=8000"],
    code: 7,
    reason: "max_tokens",
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
    const isLeft = !UNANSWERED.includes(reason);
    assertEquals([told.run.resume !== null, told.run.session_id !== null], [isLeft, isLeft]);
    assertEquals([...Deno.readDirSync(scene.at("state/bulkhead/sessions"))].length, isLeft ? 1 : 0);
    if (told.run.error) assertStringIncludes(told.stderr, `bulkhead: ${reason}: `);
  });
}

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
