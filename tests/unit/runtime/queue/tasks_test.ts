import { assert, assertEquals } from "@std/assert";
import { z } from "zod";

import { answerTask, type TaskAnswer } from "../../../../runtime/queue/tasks/answer_task.ts";
import { parseTasks, type Task } from "../../../../runtime/queue/tasks/read_tasks.ts";
import { TASK_SCHEMA } from "../../../../runtime/queue/tasks/task_schema.ts";
import { StartRun } from "../../../../runtime/server/api/run_schemas.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { workspace } from "../../../support/run_tool.ts";
import { scriptedModel } from "../../../support/scripted_model.ts";
import { ended, type Played, PlayedRuns, spoken } from "../../../support/server/played_runs.ts";
import { servedRuns } from "../../../support/server/served_runs.ts";

const PURE = { permissions: "none" } as const;

const { signal: NEVER } = new AbortController();
const WRITE = { tool_calls: [{ id: "w", name: "Write", arguments: { path: "b.txt", content: "x\n" } }] };

function taskOf(wish: Partial<NonNullable<Task["wish"]>>, id: string | number = "a"): Task {
  return { id, line: 1, wish: { prompt: "Do it", ...wish }, error: null };
}

async function played(...lists: Played[]): Promise<[TaskAnswer, PlayedRuns]> {
  const runs = new PlayedRuns(...lists);
  return [await answerTask(taskOf({}), runs, { signal: NEVER }), runs];
}

Deno.test("answerTask() does a task, tells its events, and gives the document of its run", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([WRITE, { text: '{"n":1}' }]);
  await using runs = servedRuns(ws, server.url);
  const types: string[] = [];
  const sessions: string[] = [];
  const output_schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const { duration_ms, session_id, usage, resume, ...answer } = await answerTask(
    ...[taskOf({ output_schema }), runs] as const,
    {
      signal: NEVER,
      onEvent: ({ event }) => types.push(event.type),
      onSession: (id) => sessions.push(id),
    },
  );
  assertEquals(answer, {
    ...{ v: 1, id: "a", ok: true, answer: '{"n":1}', output: { n: 1 } },
    ...{ termination_reason: "completed", exit_code: 0, error: null },
    changed: [{ path: "b.txt", status: "added", added: 1, removed: 0 }],
    ...{ refused: [], workspace: ws.at("ws"), model: "m", state: "completed" },
  });
  assertEquals([usage?.rounds, usage?.calls, duration_ms > 0], [2, 1, true]);
  assertEquals([session_id], sessions);
  assert(resume?.includes(session_id!));
  assertEquals([types[0], types.includes("tool.end"), types.at(-1)], ["prompt", true, "run.end"]);
  assertEquals(types.filter((type) => type === "run.end").length, 1);
});

Deno.test("answerTask() starts nothing for a line that is no task, and nothing after an abort", async () => {
  const runs = new PlayedRuns();
  const error = new ToolError("invalid_input", "Cannot read line 3: x").toInfo();
  const bad = await answerTask({ id: 3, line: 3, wish: null, error }, runs, { signal: NEVER });
  assertEquals([bad.id, bad.exit_code, bad.termination_reason, bad.error], [3, 2, "not_started", error]);
  const late = new ToolError("cancelled", "Told to end");
  const ended = await answerTask(taskOf({}), runs, { signal: AbortSignal.abort(late) });
  const { exit_code, termination_reason, error: why } = ended;
  assertEquals([exit_code, termination_reason, why?.message], [130, "interrupted", "Told to end"]);
  assertEquals(runs.requests, []);
});

Deno.test("answerTask() never rejects", async () => {
  const [lost] = await played({ events: [] });
  assertEquals([lost.ok, lost.error?.code, lost.session_id !== null], [false, "unavailable", true]);
  const [whole, { requests }] = await played({ events: spoken("Yes.") });
  assertEquals([whole.ok, whole.answer, requests[0]?.ask], [true, "Yes.", false]);
  const runs = new PlayedRuns({ events: [ended(null)] });
  runs.get = () => Promise.reject(new Error("torn"));
  const torn = await answerTask(taskOf({}), runs, { signal: NEVER });
  assertEquals([torn.ok, torn.error?.code], [false, "internal"]);
});

async function parsed(...lines: string[]): Promise<Task[]> {
  async function* all() {
    yield* lines;
  }
  return await Array.fromAsync(parseTasks(all()));
}

Deno.test("parseTasks() understands a line a task and passes empty lines over", PURE, async () => {
  const all = {
    ...{ prompt: "Count", agent: "research", model: "m", workspace: "/work" },
    images: [{ data_url: "data:image/png;base64,AAAA" }],
    grants: { policy: "read-only", tools: ["Read"], deny_write: true, deny_net: ["example.com"] },
    limits: { rounds: 3, seconds: 0.5, tokens: 10, cost: 0.01 },
    output_schema: { type: "object", properties: {} },
  };
  const tasks = await parsed(
    JSON.stringify({ id: "a", ...all }),
    "  ",
    '{"prompt":"x"}',
    '\uFEFF{"id":7,"prompt":"y"}',
  );
  assertEquals(tasks, [
    { id: "a", line: 1, wish: all as Task["wish"], error: null },
    { id: 3, line: 3, wish: { prompt: "x" }, error: null },
    { id: 7, line: 4, wish: { prompt: "y" }, error: null },
  ]);
});

Deno.test("parseTasks() makes a bad line a task that has failed", PURE, async () => {
  const bad: readonly (readonly [line: string, why: string])[] = [
    ["[]", 'a task is an object: {"id":"1","prompt":"…"}'],
    ["{}", "missing field prompt"],
    ['{"prompt":5}', "field 'prompt' must be of type string"],
    ['{"promt":"x"}', 'missing field prompt; unknown field promt, did you mean "prompt"?'],
    ['{"prompt":"x","ask":true}', "unknown field ask"],
    ['{"prompt":"x","__proto__":{}}', "unknown field __proto__"],
    ['{"prompt":"x","id":{}}', '"id" must be a text or a number'],
    ['{"prompt":"x","id":1e999}', '"id" must be a text or a number'],
    ['{"prompt":"x","grants":{"deny_write":false}}', "field 'grants.deny_write' must be true"],
    ['{"prompt":"x","grants":{"allow_write":["/"]}}', "unknown field grants.allow_write"],
    ['{"prompt":"x","images":[{"name":"a"}]}', "missing field images[0].data_url"],
  ];
  const tasks = await parsed(...bad.map(([line]) => line), '{"prompt":"x"}');
  const told = [...bad.map(([, why], at) => `invalid_input: Cannot read line ${at + 1}: ${why}`), "a task"];
  assertEquals(tasks.map(({ wish, error }) => wish ? "a task" : `${error?.code}: ${error?.message}`), told);
  assertEquals(tasks[4]!.error?.details, { line: 5 });
});

Deno.test("parseTasks() keeps the id of a bad line", PURE, async () => {
  const tasks = await parsed("not json", '{"id":"a"}', '{"id":4,"prompt":"x","tool":"Read"}');
  const bad = tasks.map(({ id, line, error }) => [id, line, error?.code]);
  assertEquals(bad, [[1, 1], ["a", 2], [4, 3]].map((at) => [...at, "invalid_input"]));
  const told = "Broken JSON in line 1, line 1 column 1: expected a value";
  assertEquals(tasks[0]!.error?.message.split("\n")[0], told);
});

/** What only describes, and what says no more than that numbers are finite. */
const LEFT_OUT = ["$schema", "description", "propertyNames"];

Deno.test("TASK_SCHEMA takes what the server takes for a run", PURE, () => {
  const { ask: _, ...fields } = StartRun.shape;
  assertEquals(plain(TASK_SCHEMA), plain(z.toJSONSchema(z.strictObject(fields), { io: "input" })));
});

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, part]) =>
    !LEFT_OUT.includes(key) && part !== Number.MAX_SAFE_INTEGER &&
    !(key === "required" && Array.isArray(part) && part.length === 0)
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, plain(part)]));
}
