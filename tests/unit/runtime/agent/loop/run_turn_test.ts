import { assert, assertEquals } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { ModelRequest } from "../../../../../schemas/agent/model.ts";
import { ask, calls, run, told, tool, type Turn } from "../../../../support/agent_scene.ts";
import { toolResult } from "../../../../support/tool_result.ts";

const TEXT: Turn = { content: "All done" };

/** What the model reads of the calls of its last turn. */
function results(request: ModelRequest | undefined): string[] {
  return (request?.messages ?? []).flatMap((message) => message.role === "tool" ? message.content : []);
}

const TOOLS_ARE = "the tools are Read, Write, terminate";
/** What is wrong with a call, the call, and what is told of it. */
const FAULTS: readonly (readonly [what: string, call: ReturnType<typeof ask>, told: string])[] = [
  [
    "broken JSON",
    ask("Read", '{"path": "a.txt",'),
    "Broken JSON in the arguments of Read, line 1 column 18: expected a name in double quotes\n" +
    '  {"path": "a.txt",\n                   ^\nThe call was not run: send it again with valid JSON',
  ],
  [
    "a list",
    ask("Read", "[1]"),
    "Cannot use the arguments of Read: they must be one JSON object, such as " +
    '{"key": "value"}\nThe call was not run: send it again with valid JSON',
  ],
  ["a mistyped tool", ask("Raed"), `Unknown tool "Raed", did you mean "Read"? T${TOOLS_ARE.slice(1)}`],
  ...["launch_missiles", "", "constructor"].map((name) =>
    [`no tool, "${name}"`, ask(name), `Unknown tool "${name}": ${TOOLS_ARE}`] as const
  ),
];

for (const [what, call, expected] of FAULTS) {
  Deno.test(`runTurn() answers ${what} so that the model can go on`, async () => {
    const { outcome, requests, lines, calls: made, events } = await run([calls(call), TEXT]);
    assertEquals(results(requests[1]), [expected]);
    assertEquals(outcome.termination_reason, "completed");
    assertEquals([outcome.usage.calls, outcome.usage.failed], [1, 1]);
    assertEquals(made, []);
    assertEquals(lines.map(({ t }) => t).slice(2), ["reply", "result", "reply"]);
    assertEquals(told(events).filter((line) => /^(start|end)/.test(line)).length, 2);
  });
}

const ARGUMENTS: [string, unknown][] = [
  ["", {}],
  ["  ", {}],
  ["null", {}],
  ["{}", {}],
  ['\uFEFF{"a":1}', { a: 1 }],
  [JSON.stringify('{"a":1}'), { a: 1 }],
  [JSON.stringify(JSON.stringify('{"a":1}')), { a: 1 }],
  ['{"a":"{\\"b\\":1}"}', { a: '{"b":1}' }],
];

Deno.test("runTurn() reads arguments that are empty, or wrapped in strings of JSON", async () => {
  for (const [text, expected] of ARGUMENTS) {
    const { calls: made } = await run([calls(ask("Read", text)), TEXT]);
    assertEquals(made.map((call) => call.arguments), [expected], text);
  }
});

Deno.test("runTurn() sends back arguments that providers can read themselves", async () => {
  const texts = ["", '{"a":  1}', JSON.stringify('{"a":1}'), "{oops", "[1]"];
  const { requests } = await run([calls(...texts.map((text) => ask("Read", text))), TEXT]);
  const [, , said] = requests[1]?.messages ?? [];
  assertEquals(said?.role === "assistant" && said.tool_calls.map((call) => call.arguments), [
    ...["{}", '{"a":  1}', '{"a":1}', '{"not_json":"{oops"}', '{"not_json":"[1]"}'],
  ]);
});

Deno.test("runTurn() makes ids unique in the reply and in the run, with their results", async () => {
  const { requests, lines } = await run([
    calls(ask("Read", { n: 1 }, "c"), ask("Read", { n: 2 }, "c"), ask("Read", { n: 3 }, "")),
    calls(ask("Read", { n: 4 }, "c"), ask("Read", { n: 5 })),
    TEXT,
  ]);
  const ids = requests[2]?.messages.flatMap((message) => {
    if (message.role === "assistant") return message.tool_calls.map(({ id }) => id);
    return message.role === "tool" ? [`result ${message.tool_call_id}`] : [];
  });
  assertEquals(ids, [
    ...["c", "c_2", "call", "result c", "result c_2", "result call"],
    ...["c_3", "call_2", "result c_3", "result call_2"],
  ]);
  const given = lines.flatMap((line) => line.t === "result" ? line.id : []);
  assertEquals(given, ["c", "c_2", "call", "c_3", "call_2"]);
});

Deno.test("runTurn() runs neighbours at once and gives results and their ends in the order of the calls", async () => {
  const second = Promise.withResolvers<void>();
  const order: string[] = [];
  const { requests, events } = await run([
    calls(ask("Read", { n: 0 }), ask("Read", { n: 1 }), ask("Write", { n: 2 }), ask("Read", { n: 3 })),
    TEXT,
  ], {
    async call({ id, arguments: input }) {
      const { n } = input as { n: number };
      order.push(`begins ${n}`);
      if (n === 0) await second.promise;
      if (n === 1) second.resolve();
      order.push(`ends ${n}`);
      return { id, content: `result ${n}` };
    },
  });
  assertEquals(order, [
    ...["begins 0", "begins 1", "ends 1", "ends 0", "begins 2", "ends 2", "begins 3", "ends 3"],
  ]);
  assertEquals(results(requests[1]), ["result 0", "result 1", "result 2", "result 3"]);
  const ended = told(events).filter((line) => line.startsWith("end"));
  assertEquals(ended, ["call", "call_2", "call_3", "call_4"].map((id) => `end ${id} true`));
});

Deno.test("runTurn() runs the calls that are left and tells the others that there are no more", async () => {
  const two = calls(ask("Read", { n: 1 }), ask("Read", { n: 2 }));
  const { outcome, calls: made, lines } = await run([two], { limits: { calls: 1 } });
  assertEquals([outcome.termination_reason, outcome.usage.calls, made.length], ["max_calls", 1, 1]);
  assertEquals(outcome.usage.failed, 0);
  assertEquals(lines.flatMap((line) => line.t === "result" ? line.content : []), [
    "Read done",
    "The call was not run: the limit of 1 call is reached",
  ]);
});

Deno.test("runTurn() shows pictures after all results of the turn, by their calls", async () => {
  const { requests } = await run([calls(ask("Read", { n: 1 }, "a"), ask("Read", { n: 2 }, "b")), TEXT], {
    call: ({ id }) => ({
      pictures: [{ type: "image", path: `/p/${id}.png`, mime_type: "image/png", bytes: 3 }],
    }),
  });
  const messages = requests[1]?.messages ?? [];
  assertEquals(messages.map(({ role }) => role), ["system", "user", "assistant", "tool", "tool", "user"]);
  const content = ["a", "b"].flatMap((id) => [
    { type: "text", text: `Picture that Read gave (call ${id}):` },
    { type: "image", path: `/p/${id}.png`, mime_type: "image/png", bytes: 3, data: `bytes of /p/${id}.png` },
  ]);
  assertEquals<unknown>(messages.at(-1), { role: "user", kind: "pictures", content });
});

Deno.test("runTurn() gives each call that began its end when it is cancelled, and begins no other", async () => {
  const { outcome, lines, events } = await run([
    calls(...Array.from({ length: 6 }, (_, n) => ask("Read", { n }, `c${n}`)), ask("Write", {}, "w")),
  ], {
    async call({ id }, { stop }, signal) {
      if (id === "c2") stop.abort(new ToolError("cancelled", "The run was interrupted"));
      while (!signal.aborted) await Promise.resolve();
      return { ok: false, content: "cancelled" };
    },
  });
  const { termination_reason, error, usage } = outcome;
  assertEquals([termination_reason, error?.message], ["interrupted", "The run was interrupted"]);
  assertEquals([usage.calls, usage.failed], [3, 3]);
  assertEquals(lines.flatMap((line) => line.t === "call" ? line.id : []), ["c0", "c1", "c2"]);
  assertEquals(lines.flatMap((line) => line.t === "result" ? line.id : []).sort(), ["c0", "c1", "c2"]);
  const ended = told(events).filter((line) => line.startsWith("end"));
  assertEquals(ended, ["c0", "c1", "c2"].map((id) => `end ${id} false`));
});

Deno.test("runTurn() takes a bug of whoever runs calls for a failed call", async () => {
  const { requests, outcome } = await run([calls(ask("Read")), TEXT], {
    call: () => Promise.reject(new TypeError("Oops")),
  });
  assertEquals(results(requests[1]), ["Oops"]);
  assertEquals([outcome.termination_reason, outcome.usage.failed], ["completed", 1]);
});

Deno.test("runTurn() shows watchers all of a result, and keeps that out of the trace", async () => {
  const shown = toolResult({ result: { lines: 3 }, text: "Read done", warnings: ["guessed"] });
  const { events, lines } = await run([calls(ask("Read")), TEXT], {
    call: () => ({ full: shown }) as Record<string, unknown>,
  });
  assertEquals(events.flatMap((event) => event.type === "tool.end" ? event.result : []), [shown]);
  assertEquals(lines.some((line) => "full" in line), false);
  const plain = await run([calls(ask("Read")), TEXT], { tools: [tool("Read")] });
  const texts = plain.events.flatMap((event) => event.type === "tool.end" ? event.result.text : []);
  assertEquals(texts, ["Read done"]);
});

Deno.test("runTurn() gives timers their turn within one reply, however many calls it has", async () => {
  let fired = 0;
  const timer = setInterval(() => fired++, 1);
  // More than any machine does before the first turn is due.
  const many = Array.from({ length: 40_000 }, () => ask("Read", {}));
  const { outcome, calls: made } = await run([calls(...many)], { limits: { calls: 2 } });
  clearInterval(timer);
  assertEquals([outcome.termination_reason, outcome.usage.calls, made.length], ["max_calls", 2, 2]);
  assert(fired > 0);
});
