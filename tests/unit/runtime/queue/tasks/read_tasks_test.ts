import { assertEquals } from "@std/assert";

import { parseTasks, type Task } from "../../../../../runtime/queue/tasks/read_tasks.ts";

async function parsed(...lines: string[]): Promise<Task[]> {
  async function* all() {
    yield* lines;
  }
  return await Array.fromAsync(parseTasks(all()));
}

Deno.test(
  "parseTasks() understands a line a task and passes empty lines over",
  { permissions: "none" },
  async () => {
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
  },
);

Deno.test("parseTasks() makes a bad line a task that has failed", { permissions: "none" }, async () => {
  const bad: readonly (readonly [line: string, why: string])[] = [
    ["[]", 'a task is an object: {"id":"1","prompt":"…"}'],
    ["{}", "missing field prompt"],
    ['{"prompt":5}', "field 'prompt' must be of type string"],
    ['{"prompt":""}', "field 'prompt' must have at least 1 character(s)"],
    ['{"promt":"x"}', 'missing field prompt; unknown field promt, did you mean "prompt"?'],
    ['{"prompt":"x","ask":true}', "unknown field ask"],
    ['{"prompt":"x","__proto__":{}}', "unknown field __proto__"],
    ['{"prompt":"x","id":{}}', '"id" must be a text or a number'],
    ['{"prompt":"x","id":1e999}', '"id" must be a text or a number'],
    [
      '{"prompt":"x","grants":{"policy":"coder"}}',
      'field \'grants.policy\' must be one of "read-only", "read-only-no-net"',
    ],
    ['{"prompt":"x","grants":{"deny_write":false}}', "field 'grants.deny_write' must be true"],
    ['{"prompt":"x","grants":{"deny_run":7}}', "field 'grants.deny_run' must be of type boolean or array"],
    ['{"prompt":"x","grants":{"allow_write":["/"]}}', "unknown field grants.allow_write"],
    ['{"prompt":"x","limits":{"rounds":1.5}}', "field 'limits.rounds' must be of type integer"],
    ['{"prompt":"x","limits":{"cost":0}}', "field 'limits.cost' must be greater than 0"],
    ['{"prompt":"x","images":[{"name":"a"}]}', "missing field images[0].data_url"],
    ['{"prompt":"x","workspace":null}', "field 'workspace' must be of type string"],
    ['{"prompt":"x","output_schema":[]}', "field 'output_schema' must be of type object"],
  ];
  const tasks = await parsed(...bad.map(([line]) => line), '{"prompt":"x"}');
  assertEquals(
    tasks.map(({ wish, error }) => wish ? "a task" : `${error?.code}: ${error?.message}`),
    [...bad.map(([, why], at) => `invalid_input: Cannot read line ${at + 1}: ${why}`), "a task"],
  );
  assertEquals(tasks[4]!.error?.details, { line: 5 });
});

Deno.test("parseTasks() keeps the id of a bad line", { permissions: "none" }, async () => {
  const tasks = await parsed("not json", '{"id":"a"}', '{"id":4,"prompt":"x","tool":"Read"}');
  assertEquals(tasks.map(({ id, line, error }) => [id, line, error?.code]), [
    [1, 1, "invalid_input"],
    ["a", 2, "invalid_input"],
    [4, 3, "invalid_input"],
  ]);
  assertEquals(
    tasks[0]!.error?.message.split("\n")[0],
    "Broken JSON in line 1, line 1 column 1: expected a value",
  );
});
