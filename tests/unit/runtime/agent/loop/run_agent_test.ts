import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { EXIT_CODES, ToolError } from "../../../../../schemas/error.ts";
import { AGENT_TERMINATIONS } from "../../../../../schemas/agent/agent.ts";
import { UNKNOWN_MODEL } from "../../../../../schemas/agent/model.ts";
import {
  ask,
  calls,
  run,
  type SceneOptions,
  textsOf,
  told,
  tool,
  TOOLS,
  type Turn,
} from "../../../../support/agent_scene.ts";

const TEXT: Turn = { content: "All done" };

Deno.test("runAgent() ends with the text of a reply without calls", async () => {
  const { outcome, requests, lines, events } = await run([
    { ...calls(ask("Read", { path: "a" }, "c1")), content: "I look", usage: usage(100, 10) },
    { ...TEXT, usage: usage(120, 5, 90) },
  ]);
  assertEquals(outcome, {
    answer: "All done",
    termination_reason: "completed",
    state: "completed",
    error: null,
    usage: {
      input_tokens: 220,
      cached_tokens: 90,
      output_tokens: 15,
      rounds: 2,
      calls: 1,
      failed: 0,
      cost: null,
      estimated: false,
    },
  });
  assertEquals(requests.map(({ messages }) => messages.map(({ role }) => role).join(" ")), [
    "system user",
    "system user assistant tool",
  ]);
  assertEquals(lines.map(({ t }) => t), ["message", "message", "reply", "call", "result", "reply"]);
  assertEquals(told(events), [
    "turn 1",
    "text.delta",
    "start c1 set/Read",
    "end c1 true",
    "turn 2",
    "text.delta",
  ]);
});

const ENDS: Record<string, { turns: Turn[]; options?: SceneOptions; ends: string; code: number }> = {
  "the model's key is refused": {
    turns: [new ToolError("unauthenticated", "No key")],
    ends: "unauthenticated",
    code: 4,
  },
  "the model is asked too often": {
    turns: Array(9).fill(new ToolError("rate_limited", "Slowly")),
    ends: "rate_limited",
    code: 5,
  },
  "the model fails for good": {
    turns: [new ToolError("external_failure", "Bad request", { retryable: false })],
    ends: "model_unreachable",
    code: 5,
  },
  "the replay runs out": { turns: [], ends: "replay_differs", code: 1 },
  "something is a bug": {
    turns: [() => Promise.reject(new TypeError("Oops"))],
    ends: "internal",
    code: 1,
  },
  "the rounds are used up": {
    turns: [1, 2, 3].map((n) => calls(ask("Read", { n }))),
    options: { limits: { rounds: 2 } },
    ends: "max_rounds",
    code: 7,
  },
  "the tokens are used up": {
    turns: [1, 2, 3].map((n) => ({ ...calls(ask("Read", { n })), usage: usage(400, 100) })),
    options: { limits: { tokens: 1_000 } },
    ends: "max_tokens",
    code: 7,
  },
  "the money is used up": {
    turns: [1, 2].map((n) => ({ ...calls(ask("Read", { n })), usage: usage(1_000_000, 0) })),
    options: {
      limits: { cost: 2 },
      parts: { profile: { ...UNKNOWN_MODEL, prices: { input: 2, cached_input: 1, output: 8 } } },
    },
    ends: "max_cost",
    code: 7,
  },
  "the calls are used up": {
    turns: [calls(ask("Read", { n: 1 }), ask("Read", { n: 2 }), ask("Read", { n: 3 }))],
    options: { limits: { calls: 2 } },
    ends: "max_calls",
    code: 7,
  },
  "the same call comes a third time": {
    turns: Array(3).fill(calls(ask("Read", { a: 1, b: 2 }))),
    ends: "repeated_call",
    code: 7,
  },
  "replies are of no use": { turns: Array(5).fill({}), ends: "too_many_faults", code: 5 },
  "all calls are broken again and again": {
    turns: Array(5).fill(calls(ask("Read", "{oops"))),
    ends: "too_many_faults",
    code: 5,
  },
  "the model says that it failed": {
    turns: [calls(ask("terminate", { status: "failure" }))],
    ends: "task_failed",
    code: 1,
  },
  "the model says that it is done": {
    turns: [calls(ask("terminate", { status: "success" }))],
    ends: "completed",
    code: 0,
  },
  "the time is up while the model answers": {
    turns: [(_, { pass }) => {
      pass(AN_HOUR);
      return TEXT;
    }],
    options: { limits: { seconds: 3_600 } },
    ends: "max_time",
    code: 124,
  },
  "the time is up while a tool runs": {
    turns: [calls(ask("Write"))],
    options: {
      limits: { seconds: 3_600 },
      call: async (_, { pass }, signal) => {
        const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
        pass(AN_HOUR);
        await aborted;
        return { ok: false };
      },
    },
    ends: "max_time",
    code: 124,
  },
  "a person stops it": {
    turns: [(_, { stop }) => {
      stop.abort(new ToolError("cancelled", "SIGINT"));
      return TEXT;
    }],
    ends: "interrupted",
    code: 130,
  },
  "a replay differs": {
    turns: [(_, { stop }) => {
      stop.abort(new ToolError("conflict", "Read gave something else"));
      return TEXT;
    }],
    ends: "replay_differs",
    code: 1,
  },
};

const AN_HOUR = 3_600_000;

for (const [why, { turns, options, ends, code }] of Object.entries(ENDS)) {
  Deno.test(`runAgent() ends as ${ends} if ${why}`, async () => {
    const { outcome, events } = await run(turns, options);
    assertEquals(outcome.termination_reason, ends);
    const expected = AGENT_TERMINATIONS[outcome.termination_reason];
    assertEquals(outcome.error?.code ?? null, expected);
    assertEquals(expected === null ? 0 : EXIT_CODES[expected], code);
    const started = told(events).filter((line) => line.startsWith("start")).length;
    assertEquals(told(events).filter((line) => line.startsWith("end")).length, started);
  });
}

Deno.test("runAgent() tells a reply that was of no use what to do, and goes on", async () => {
  const cutOff = "Your reply was cut off at its longest length";
  const cases: [Turn, string][] = [
    [{}, "Your reply was empty. Call a tool to go on with the task, or give your answer."],
    [{ content: " \n" }, "Your reply was empty. Call a tool to go on with the task, or give your answer."],
    [
      { finish: "content_filter" },
      "Your reply was empty (the provider's filter held it back). Call a tool to go on with the task, or give your answer.",
    ],
    [
      { content: "Half", finish: "length" },
      `${cutOff}. Give the whole answer again in a shorter form, or write it to files in parts.`,
    ],
    [
      { ...calls(ask("Write", '{"path": "a')), finish: "length" },
      `${cutOff}, so none of its calls was run. Make fewer or smaller calls: write long texts in parts.`,
    ],
  ];
  for (const [turn, remark] of cases) {
    const { outcome, requests, calls: made } = await run([turn, TEXT]);
    assertEquals(outcome.answer, "All done");
    assertEquals(textsOf(requests[1]?.messages.at(-1)), [remark]);
    assertEquals(made, []);
  }
});

Deno.test("runAgent() gives the part of an answer that was cut off again and again, as a failure", async () => {
  const { outcome } = await run(Array(5).fill({ content: "Half an", finish: "length" }));
  assertEquals([outcome.answer, outcome.termination_reason], ["Half an", "cut_off"]);
});

Deno.test("runAgent() counts useless replies in a row only", async () => {
  const { outcome } = await run([{}, {}, calls(ask("Read")), {}, {}, TEXT], { limits: { faults: 3 } });
  assertEquals(outcome.termination_reason, "completed");
});

Deno.test("runAgent() warns of the call that would be the last, and takes other calls between as progress", async () => {
  const same = calls(ask("Read", { b: 1, a: 2 }));
  const again = calls(ask("Read", '{"a":2,"b":1}'));
  const { outcome, requests } = await run([same, again, calls(ask("Write")), same, TEXT]);
  assertEquals(outcome.termination_reason, "completed");
  assertEquals(textsOf(requests[2]?.messages.at(-1)), [
    "You made the same call 2 times in a row. Once more ends the run: do something else, or give your answer.",
  ]);
  const many = await run([calls(...Array(200).fill(ask("Read"))), TEXT]);
  assertEquals([many.outcome.termination_reason, many.calls.length], ["completed", 200]);
});

Deno.test("runAgent() answers with the text of the turn that ends the run, else with the last text", async () => {
  const end = calls(ask("terminate", { status: "success" }));
  assertEquals((await run([{ ...end, content: "Here it is" }])).outcome.answer, "Here it is");
  const earlier = [{ ...calls(ask("Read")), content: "Found 3" }, end];
  assertEquals((await run(earlier)).outcome.answer, "Found 3");
  assertEquals((await run([end])).outcome.answer, null);
  const refused = await run([end, TEXT], { call: () => ({ ok: false }) });
  assertEquals(refused.outcome.answer, "All done");
});

Deno.test("runAgent() takes the answer from the argument that the tool names, as the tool saw it", async () => {
  const parameters = {
    type: "object",
    properties: { answer: { type: "string", maxLength: 4 }, state: { type: "string" } },
    required: ["answer"],
    additionalProperties: false,
  };
  const ending = { status: "state", failed: "failed", answer: "answer" };
  const tools = [tool("finish", { parameters, ends_run: ending, cuts_long: true })];
  const ends = async (said: Record<string, unknown>) => {
    const { outcome } = await run([{ ...calls(ask("finish", said)), content: "Now" }], { parts: { tools } });
    return [outcome.answer, outcome.termination_reason];
  };
  assertEquals(await ends({ Answer: "long one", state: "completed" }), ["long", "completed"]);
  assertEquals(await ends({ answer: "none", state: "failed" }), ["none", "task_failed"]);
});

Deno.test("runAgent() estimates what a provider does not count, and says so", async () => {
  const { outcome } = await run([{ content: "word ".repeat(50) }]);
  assert(outcome.usage.estimated);
  assert(
    outcome.usage.input_tokens > 20 && outcome.usage.input_tokens < 200,
    `${outcome.usage.input_tokens}`,
  );
  assertEquals(outcome.usage.output_tokens, 50);
});

Deno.test("runAgent() takes back the text of a stream that broke", async () => {
  let first = true;
  const { events, outcome } = await run([], {
    parts: {
      model: {
        name: "broken",
        complete(_, { onText }) {
          onText?.("Al");
          const broke = first;
          first = false;
          if (broke) return Promise.reject(new ToolError("external_failure", "The stream broke"));
          return Promise.resolve({ content: "All", tool_calls: [], finish: "stop", usage: null });
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
    },
  });
  assertEquals(outcome.answer, "All");
  assertEquals(events.slice(1).map(({ type }) => type), ["text.delta", "retry", "text.delta", "text.delta"]);
  assertEquals(events[3], { type: "text.delta", text: "", restart: true });
});

const FORM: NonNullable<SceneOptions["parts"]> = {
  output: {
    schema: { type: "object", required: ["n"] },
    check: (value) => typeof value === "object" && value !== null && "n" in value ? [] : ['"n" is missing'],
  },
};

Deno.test("runAgent() asks for an answer of the schema, and again until it fits", async () => {
  const { outcome, requests } = await run([
    { content: "It is 3" },
    { content: "{}" },
    { content: '```json\n{"n": 3}\n```' },
  ], { parts: FORM });
  assertEquals([outcome.answer, outcome.output], ['{"n": 3}', { n: 3 }]);
  assertEquals(requests.map(({ purpose, tools }) => `${purpose} ${tools.length}`), [
    "turn 3",
    "repair 0",
    "repair 0",
  ]);
  assertStringIncludes(textsOf(requests[0]?.messages[0])[0] ?? "", '{"type":"object","required":["n"]}');
  assertEquals(textsOf(requests[2]?.messages.at(-1)), [
    'Your answer is not what the schema asks for:\n- "n" is missing\n' +
    "Give the whole answer again: only JSON that fits the schema, no text around it.",
  ]);
  assertEquals(outcome.usage.rounds, 1);
});

Deno.test("runAgent() ends as output_invalid if repairs do not help", async () => {
  const { outcome, requests } = await run(Array(9).fill({ content: "{}" }), { parts: FORM });
  assertEquals([outcome.termination_reason, outcome.answer, requests.length], ["output_invalid", "{}", 4]);
  assertEquals("output" in outcome, false);
});

Deno.test("runAgent() does not wait for a model that does not hear of the end", async () => {
  let say: (text: string) => void = () => {};
  const { outcome, events } = await run([], {
    parts: {
      model: {
        name: "deaf",
        complete: (_, { onText }) => new Promise(() => say = onText ?? say),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
      sleep: (_, signal) => signal.aborted ? Promise.reject(signal.reason) : Promise.resolve(),
    },
  });
  assertEquals(outcome.termination_reason, "max_time");
  const before = events.length;
  say("too late");
  assertEquals(events.length, before);
});

Deno.test("runAgent() stops its clock when it has ended", async () => {
  let stopped = false;
  await run([TEXT], {
    parts: {
      sleep: (_, signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(signal.reason);
          })
        ),
    },
  });
  assert(stopped);
});

Deno.test("runAgent() ends as internal if the trace cannot be written, at any line", async () => {
  for (const [at, made] of [[0, 0], [1, 0], [2, 1], [3, 3]] as const) {
    let written = 0;
    const { outcome, calls: asked, events } = await run([calls(ask("Read"), ask("Read"), ask("Read"))], {
      parts: {
        trace() {
          if (written++ >= at) throw new ToolError("external_failure", "No room on the disk");
        },
      },
    });
    assertEquals([at, outcome.termination_reason, outcome.error?.message], [
      at,
      "internal",
      "The trace cannot be written: No room on the disk",
    ]);
    assert(asked.length <= made, `${asked.length} calls`);
    const heard = told(events);
    const count = (word: string) => heard.filter((line) => line.startsWith(word)).length;
    assertEquals(count("end"), asked.length);
  }
});

Deno.test("runAgent() keeps what it needs for a thousand rounds in the conversation alone", async () => {
  const turns = Array.from({ length: 1_000 }, (_, n) => calls(ask("Read", { n }, "same")));
  const { outcome, lines } = await run([...turns, TEXT], { limits: { rounds: 2_000 }, tools: TOOLS });
  assertEquals(outcome.usage.calls, 1_000);
  const sizes = [250, 500, 1_000].map((n) => JSON.stringify(lines.slice(0, n * 3)).length);
  assert(sizes[1]! < sizes[0]! * 2.1 && sizes[2]! < sizes[1]! * 2.1, `${sizes}`);
  const ids = lines.flatMap((line) => line.t === "call" ? line.id : []);
  assertEquals(new Set(ids).size, 1_000);
});

Deno.test("runAgent() offers what it was given, and nothing beyond", async () => {
  const { requests } = await run([TEXT], { tools: [tool("Read")] });
  assertEquals(requests[0]?.tools, [{
    name: "Read",
    description: "Does Read",
    parameters: { type: "object" },
  }]);
});

function usage(input_tokens: number, output_tokens: number, cached_tokens = 0) {
  return { input_tokens, cached_tokens, output_tokens };
}
