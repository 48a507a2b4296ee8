import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { EXIT_CODES, ToolError } from "../../../../../schemas/error.ts";
import { AGENT_TERMINATIONS } from "../../../../../schemas/agent/agent.ts";
import { type Model, UNKNOWN_MODEL } from "../../../../../schemas/agent/model.ts";
import {
  ask,
  calls,
  run,
  type SceneOptions,
  textsOf,
  told,
  tool,
  type Turn,
} from "../../../../support/agent_scene.ts";

const TEXT: Turn = { content: "All done" };

Deno.test("runAgent() ends with the text of a reply without calls", async () => {
  const { outcome, requests, lines, events } = await run([
    { ...calls(ask("Read", { path: "a" }, "c1")), content: "I look", usage: usage(100, 10) },
    { ...TEXT, usage: usage(120, 5, 90) },
  ]);
  const tokens = { input_tokens: 220, cached_tokens: 90, output_tokens: 15 };
  assertEquals(outcome, {
    ...{ answer: "All done", termination_reason: "completed", state: "completed", error: null },
    usage: { ...tokens, rounds: 2, calls: 1, failed: 0, cost: null, estimated: false },
  });
  const roles = requests.map(({ messages }) => messages.map(({ role }) => role).join(" "));
  assertEquals(roles, ["system user", "system user assistant tool"]);
  assertEquals(lines.map(({ t }) => t), ["message", "message", "reply", "call", "result", "reply"]);
  const heard = ["turn 1", "text.delta", "start c1 set/Read", "end c1 true", "turn 2", "text.delta"];
  assertEquals(told(events), heard);
});

const AN_HOUR = 3_600_000;
const inAnHour = { limits: { seconds: 3_600 } };
const paid = { ...UNKNOWN_MODEL, prices: { input: 2, cached_input: 1, output: 8 } };
const ends = (status: string): Turn[] => [calls(ask("terminate", { status }))];
const fails = (...[code, message, options]: ConstructorParameters<typeof ToolError>): Turn[] =>
  Array(9).fill(new ToolError(code, message, options));
const reads = (times: number, more: Partial<Turn> = {}): Turn[] =>
  Array.from({ length: times }, (_, n) => ({ ...calls(ask("Read", { n })), ...more }));
const stops = (code: "cancelled" | "conflict"): Turn[] => [(_, { stop }) => {
  stop.abort(new ToolError(code, "SIGINT"));
  return TEXT;
}];
/** A tool that runs until it is told that the time is up. */
const untilTheEnd: SceneOptions["call"] = async (_, { pass }, signal) => {
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
  pass(AN_HOUR);
  await aborted;
  return { ok: false };
};

/** How a run ends, with which exit code, and why. */
const ENDS: readonly (readonly [ends: string, code: number, why: string, Turn[], SceneOptions?])[] = [
  ["unauthenticated", 4, "the model's key is refused", fails("unauthenticated", "No key")],
  ["rate_limited", 5, "the model is asked too often", fails("rate_limited", "Slowly")],
  ["model_unreachable", 5, "the model fails for good", fails("external_failure", "No", { retryable: false })],
  ["replay_differs", 1, "the replay runs out", []],
  ["internal", 1, "something is a bug", [() => Promise.reject(new TypeError("Oops"))]],
  ["max_rounds", 7, "the rounds are used up", reads(3), { limits: { rounds: 2 } }],
  ["max_tokens", 7, "the tokens are used up", reads(3, { usage: usage(400, 100) }), {
    limits: { tokens: 1_000 },
  }],
  ["max_cost", 7, "the money is used up", reads(2, { usage: usage(1_000_000, 0) }), {
    limits: { cost: 2 },
    parts: { profile: paid },
  }],
  ["max_calls", 7, "the calls are used up", [calls(...[1, 2, 3].map((n) => ask("Read", { n })))], {
    limits: { calls: 2 },
  }],
  ["repeated_call", 7, "the same call comes a third time", Array(3).fill(calls(ask("Read", { a: 1, b: 2 })))],
  ["too_many_faults", 5, "replies are of no use", Array(5).fill({})],
  ["too_many_faults", 5, "all calls are broken again and again", Array(5).fill(calls(ask("Read", "{oops")))],
  ["task_failed", 1, "the model says that it failed", ends("failure")],
  ["completed", 0, "the model says that it is done", ends("success")],
  ["max_time", 124, "the time is up while the model answers", [(_, { pass }) => {
    pass(AN_HOUR);
    return TEXT;
  }], inAnHour],
  ["max_time", 124, "the time is up while a tool runs", [calls(ask("Write"))], {
    ...inAnHour,
    call: untilTheEnd,
  }],
  ["interrupted", 130, "a person stops it", stops("cancelled")],
  ["replay_differs", 1, "a replay differs", stops("conflict")],
];

for (const [ends, code, why, turns, options] of ENDS) {
  Deno.test(`runAgent() ends as ${ends} if ${why}`, async () => {
    const { outcome, events } = await run(turns, options);
    assertEquals(outcome.termination_reason, ends);
    const expected = AGENT_TERMINATIONS[outcome.termination_reason];
    assertEquals(outcome.error?.code ?? null, expected);
    assertEquals(expected === null ? 0 : EXIT_CODES[expected], code);
    assert(outcome.usage.rounds <= (options?.limits?.rounds ?? Infinity));
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
  const { estimated, input_tokens, output_tokens } = outcome.usage;
  assert(input_tokens > 20 && input_tokens < 200, `${input_tokens}`);
  assertEquals([estimated, output_tokens], [true, 50]);
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
  ], { parts: FORM, limits: { rounds: 1 } });
  assertEquals([outcome.answer, outcome.output], ['{"n": 3}', { n: 3 }]);
  const asked = requests.map(({ purpose, tools }) => `${purpose} ${tools.length}`);
  assertEquals(asked, ["turn 3", "repair 0", "repair 0"]);
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
      model: modelOf((_, { onText }) => new Promise(() => say = onText ?? say)),
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
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      signal.addEventListener("abort", () => stopped = true);
    });
  await run([TEXT], { parts: { sleep } });
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
    const why = "The trace cannot be written: No room on the disk";
    assertEquals([outcome.termination_reason, outcome.error?.message], ["internal", why], `line ${at}`);
    assert(asked.length <= made, `${asked.length} calls`);
    const heard = told(events);
    const count = (word: string) => heard.filter((line) => line.startsWith(word)).length;
    assertEquals(count("end"), asked.length);
  }
});

function usage(input_tokens: number, output_tokens: number, cached_tokens = 0) {
  return { input_tokens, cached_tokens, output_tokens };
}

function modelOf(complete: Model["complete"]): Model {
  return { name: "own", complete, [Symbol.asyncDispose]: () => Promise.resolve() };
}
