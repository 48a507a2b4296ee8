import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

import { checkThinking, makeThinking } from "../../../../../runtime/agent/thinking/make_thinking.ts";
import type { AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { foldTrace } from "../../../../../runtime/agent/conversation/conversation.ts";
import { runAgent } from "../../../../../runtime/agent/loop/run_agent.ts";
import { AGENT_LIMITS, type AgentLimits } from "../../../../../schemas/agent/agent.ts";
import type { ModelRequest } from "../../../../../schemas/agent/model.ts";
import type { ThinkingSettings } from "../../../../../schemas/step/thinking.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import {
  ask,
  calls,
  makePlay,
  type Play,
  run,
  type SceneOptions,
  START,
  told,
  tool,
  type Turn,
} from "../../../../support/agent_scene.ts";

import { offerOf } from "../../../../support/offers.ts";

const REASONING = {
  type: "object",
  properties: {
    reasoning_steps: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 3 },
    current_situation: { type: "string", maxLength: 20 },
    remaining_steps: { type: "array", items: { type: "string" }, maxItems: 3 },
  },
  required: ["reasoning_steps", "current_situation", "remaining_steps"],
} as const;

const ENDING = { status: "status", failed: "failed", answer: "answer" };

const TOOLS: readonly AgentTool[] = [
  tool("think", { step_part: "reason", parameters: REASONING, cuts_long: true, read_only: true }),
  tool("Read"),
  tool("find", { step_part: "search", read_only: true }),
  tool("inquire", { step_part: "clarify" }),
  tool("report", { step_part: "report" }),
  tool("finish", {
    step_part: "finish",
    ends_run: ENDING,
    read_only: true,
    parameters: { type: "object", properties: { status: { type: "string" }, answer: { type: "string" } } },
  }),
];

const STEPS = { reasoning_steps: ["look", "decide"], remaining_steps: ["find it"] };
const THOUGHT = { ...STEPS, current_situation: "at work" };
const DONE = { status: "completed", answer: "42" };

/** Settings of a scene that thinks in some way. */
function thinking(
  settings: ThinkingSettings,
  limits: Partial<AgentLimits> = {},
  rest: SceneOptions = {},
): SceneOptions {
  const bounds = { ...AGENT_LIMITS, ...limits };
  return {
    tools: TOOLS,
    limits,
    ...rest,
    parts: {
      thinking: makeThinking({ settings, limits: bounds, tools: TOOLS, date: "2026-01-31" }, []),
      ...rest.parts,
    },
  };
}

/** A step of the form. */
function step(name: string, input: Record<string, unknown> = {}, thought: object = THOUGHT): Turn {
  return { content: JSON.stringify({ ...thought, function: { tool_name_discriminator: name, ...input } }) };
}

const think = (thought: object = THOUGHT): Turn => calls(ask("think", thought));
const act = (name: string, input: Record<string, unknown> = {}): Turn => calls(ask(name, input));

const table = (requests: readonly ModelRequest[]) => requests.map(offerOf);

const ACTS = "Read find inquire report finish";

Deno.test("sgr: one object a step, and exactly one tool", async () => {
  const steps = [step("find", { q: "a" }), step("finish", DONE)];
  const { requests, lines } = await run(steps, thinking({ kind: "sgr" }));
  assertEquals(requests.every(({ tools }) => tools.length === 0), true);
  const first = lines.find((line) => line.t === "reply");
  assertEquals(first?.t === "reply" && [first.reply.content, first.reply.reasoning], ["find it", THOUGHT]);
  const fields = Object.keys(requests[0]!.form!.schema.properties as object);
  assertEquals(fields, ["reasoning_steps", "current_situation", "remaining_steps", "function"]);
});

Deno.test("tools: each reply must make a call if that is said, as far as a tool of them ends the run", async () => {
  for (const [settings, must] of [[{ must_call: true }, true], [{}, undefined]] as const) {
    const { requests } = await run([act("finish", DONE)], thinking({ kind: "tools", ...settings }));
    assertEquals(requests.map(({ mustCall }) => mustCall), [must]);
  }
  const tools = TOOLS.filter(({ ends_run }) => ends_run === null);
  const parts = {
    settings: { kind: "tools", must_call: true },
    limits: AGENT_LIMITS,
    tools,
    date: "",
  } as const;
  const next = makeThinking(parts, []).next(tools);
  assertEquals("ask" in next && next.ask.mustCall, undefined);
});

Deno.test("plan: a plan, its steps with their executors, and the sum", async () => {
  const options = thinking({
    kind: "plan",
    executors: {
      reader: { description: "reads", tools: ["Read"] },
      finder: { description: "finds", tools: ["set/Find"], system: "You find. {available_tools}" },
    },
  });
  const { requests, outcome, events, lines } = await run([
    { content: '{"title": "Find it", "steps": ["[READER] read", "[FINDER] find"]}' },
    act("Read"),
    { content: "It was read." },
    { content: "It was found." },
    { content: "All is done." },
  ], options);
  assertEquals(table(requests), ["plan: -", "Read", "Read", "find", "-"]);
  assertEquals(requests[3]!.messages[0], { role: "system", content: "You find. 1. find: Does find" });
  assertEquals([outcome.answer, outcome.termination_reason], ["All is done.", "completed"]);
  const plans = events.flatMap((event) =>
    event.type === "plan" ? event.plan.steps.map(({ status }) => status).join(" ") : []
  );
  assertEquals(plans, ["in_progress not_started", "completed in_progress", "completed completed"]);
  assertEquals(lines.filter((line) => line.t === "plan").length, 3);
});

Deno.test("plan: an executor has so many calls, and then says what came out of its step", async () => {
  const { outcome, requests, events } = await run(
    [
      { content: '{"steps": ["look", "tell"]}' },
      act("Read", { n: 1 }),
      act("Read", { n: 2 }),
      { content: "Half of it is read." },
      { content: "Told." },
      { content: "That is what there is." },
    ],
    thinking({
      kind: "plan",
      executors: { reader: { description: "reads", tools: ["READ"], max_iterations: 2 } },
    }),
  );
  assertEquals(table(requests), ["plan: -", "Read", "Read", "-", "Read", "-"]);
  assertStringIncludes(JSON.stringify(requests[3]!.messages.at(-1)), "calls of this step are used up");
  const [, second] = events.flatMap((event) => event.type === "plan" ? [event.plan.steps] : []);
  assertEquals([second![0]!.status, second![0]!.notes], ["blocked", "Half of it is read."]);
  assertEquals([outcome.termination_reason, outcome.answer], ["task_failed", "That is what there is."]);
});

Deno.test("plan: a step that failed is blocked, the others go on, and the task has failed", async () => {
  const { outcome } = await run([
    { content: "1. first\n2. second" },
    act("finish", { status: "failed", answer: "no way" }),
    { content: "second done" },
    { content: "Half of it." },
  ], thinking({ kind: "plan" }));
  const { termination_reason, state, answer } = outcome;
  assertEquals([termination_reason, state, answer], ["task_failed", "failed", "Half of it."]);
});

Deno.test("plan: who makes no plan gets the usual one", async () => {
  const said = ["Sure!", "I will.", "a", "b", "c", "Done."].map((content) => ({ content }));
  const { outcome, events } = await run(said, thinking({ kind: "plan" }));
  assertEquals(outcome.answer, "Done.");
  assertEquals(told(events).filter((line) => line.startsWith("warning")), [
    "warning the model's reply is no plan (there is no JSON object in it), it is asked again (2 of 5)",
    "warning the model made no plan, the usual steps are taken",
  ]);
});

Deno.test("a last call that comes to nothing is asked for again, as often as useless replies are", async () => {
  const reports = Array(3).fill([think(), act("report")]).flat();
  const { outcome, requests } = await run(
    [think(), act("find"), ...reports],
    thinking({ kind: "sgr-tools" }, { iterations: 2, faults: 2 }, {
      call: ({ tool: { name } }) => name === "report" ? { ok: false, content: "no room" } : {},
    }),
  );
  const { termination_reason, state, error } = outcome;
  assertEquals([termination_reason, state, error?.code], ["max_iterations", "failed", "limit_exceeded"]);
  assertEquals(requests.length, 6);
  assertEquals(table(requests).at(-1), "report finish !");
});

Deno.test("thoughts between useless calls do not keep a run going", async () => {
  const { outcome, requests } = await run(
    Array.from({ length: 12 }, (_, at) => at % 2 === 0 ? think() : act("rummage", { at })),
    thinking({ kind: "sgr-tools" }, { faults: 3 }),
  );
  assertEquals([outcome.termination_reason, requests.length], ["too_many_faults", 6]);
});

Deno.test("arguments that a tool refuses count as a useless reply where each step is a call", async () => {
  const error = new ToolError("invalid_input", "Missing required parameter: q").toInfo();
  const { outcome, requests } = await run(
    Array.from({ length: 6 }, (_, at) => step("find", { at })),
    thinking({ kind: "sgr" }, { faults: 3 }, { call: () => ({ ok: false, content: error.message, error }) }),
  );
  assertEquals([outcome.termination_reason, requests.length], ["too_many_faults", 3]);
});

Deno.test("a reply with more searches than are left gets those that are left", async () => {
  const { calls: made, outcome, requests } = await run([
    calls(ask("find", { q: "a" }, "a"), ask("find", { q: "b" }, "b"), ask("find", { q: "c" }, "c")),
    act("finish", DONE),
  ], thinking({ kind: "tools" }, { searches: 2 }));
  assertEquals(made.map(({ tool: { name } }) => name), ["find", "find", "finish"]);
  assertEquals(outcome.termination_reason, "completed");
  assertStringIncludes(JSON.stringify(requests[1]!.messages.at(-1)), "The limit of 2 searches is reached");
});

Deno.test("a tool that keeps plans changes what is left of the plan", async () => {
  const left = ["one", "three"].map((text) => ({ text, status: "not_started" as const, notes: "" }));
  const kept = { id: "p", title: "kept", steps: left };
  const tools = [...TOOLS, tool("plan", { step_part: "plan", keeps_plans: "plans" })];
  const options = thinking({ kind: "plan" });
  const made = { settings: { kind: "plan" }, limits: AGENT_LIMITS, tools, date: "2026-01-31" } as const;
  const { outcome, events, lines } = await run([
    { content: '{"title": "T", "steps": ["one", "two"]}' },
    act("plan"),
    { content: "one done" },
    { content: "three done" },
    { content: "42" },
  ], {
    ...options,
    tools,
    parts: {
      thinking: makeThinking(made, []),
      readPlans: () => Promise.resolve({ active: "p", plans: [kept] }),
    },
  });
  assertEquals([outcome.answer, outcome.termination_reason], ["42", "completed"]);
  const titles = events.flatMap((event) => event.type === "plan" ? [event.plan.title] : []);
  assertEquals(titles, ["T", "kept", "kept", "kept"]);
  const told = lines.flatMap((line) => line.t === "plan" ? [line.plan.steps.map(({ text }) => text)] : []);
  assertEquals(told.at(-1), ["one", "three"]);
  assertEquals(lines.filter((line) => line.t === "plan").length, 4);
});

Deno.test("sgr-tools: what is wrong instead of a thought is told, and the run goes on", async () => {
  const wrong: readonly (readonly [said: Turn, told: string])[] = [
    [{ content: "I think so." }, "Your reply has no call"],
    [calls(ask("think", '{"reasoning_steps": [')), "not run: send it again"],
  ];
  for (const [said, answer] of wrong) {
    const turns = [said, think(), act("finish", DONE)];
    const { requests, outcome } = await run(turns, thinking({ kind: "sgr-tools" }));
    assertEquals([outcome.termination_reason, outcome.answer], ["completed", "42"]);
    assertStringIncludes(JSON.stringify(requests[1]!.messages.at(-1)), answer);
  }
});

Deno.test("sgr-tools: of two calls the first is run, and arguments alone are a call", async () => {
  const { calls: made, outcome, events } = await run([
    { content: `My view: ${JSON.stringify(THOUGHT)}` },
    calls(ask("Read", {}, "a"), ask("find", {}, "b")),
    think(),
    act("finish", DONE),
  ], thinking({ kind: "sgr-tools" }));
  assertEquals(made.map(({ tool: { name } }) => name), ["think", "Read", "think", "finish"]);
  assertEquals(outcome.answer, "42");
  assertEquals(told(events).filter((line) => line.startsWith("warning")), [
    "warning the model wrote its call as text, it was read as a call",
    "warning the model made 2 calls in a step of one, only Read is run",
  ]);
});

Deno.test("sgr: a call is a step, and thoughts that are too long are cut", async () => {
  const long = { ...THOUGHT, current_situation: "x".repeat(306), reasoning_steps: [..."abcd"] };
  for (const [said, warnings] of [[calls(ask("Read")), 0], [step("Read", {}, long), 2]] as const) {
    const { calls: made, outcome } = await run([said, step("finish", DONE)], thinking({ kind: "sgr" }));
    assertEquals(made.map(({ tool: { name } }) => name), ["Read", "finish"]);
    assertEquals([made[0]!.warnings?.length ?? 0, outcome.termination_reason], [warnings, "completed"]);
  }
});

Deno.test("the same search again does not end a run of forced steps", async () => {
  const same = [think(), act("find", { q: "a" })];
  const turns = [...same, ...same, ...same, think(), act("finish", DONE)];
  const { outcome, events } = await run(turns, thinking({ kind: "sgr-tools" }));
  assertEquals(outcome.termination_reason, "completed");
  const warnings = told(events).filter((line) => line.startsWith("warning"));
  assertStringIncludes(warnings.at(-1)!, "it is told to do something else");
});

const QUESTIONS = "Which one?\nWhen?\n\n[warning] something";

Deno.test("questions: without a person the run waits, with one it goes on", async () => {
  const call: SceneOptions["call"] = ({ tool: { name } }) => name === "inquire" ? { content: QUESTIONS } : {};
  const limits = { clarifications: 1 };
  const alone = await run([think(), act("inquire")], thinking({ kind: "sgr-tools" }, limits, { call }));
  const { state, questions, answer, error } = alone.outcome;
  assertEquals([state, answer, error], ["waiting_for_clarification", "Which one?\nWhen?", null]);
  assertEquals(questions, ["Which one?", "When?"]);
  const heard: unknown[] = [];
  const asked = await run(
    [think(), act("inquire"), think(), act("finish", DONE)],
    thinking({ kind: "sgr-tools" }, limits, {
      call,
      parts: {
        thinking: thinking({ kind: "sgr-tools" }, limits).parts!.thinking!,
        askPerson: (question) => {
          heard.push(question);
          return Promise.resolve("The red one");
        },
      },
    }),
  );
  const offers = ["think !", `${ACTS} !`, "think !", "Read find report finish !"];
  assertEquals([asked.outcome.answer, table(asked.requests)], ["42", offers]);
  assertEquals(heard, [{ tool: "set/inquire", text: "Which one?\nWhen?", isAnswer: false }]);
  const said = asked.lines.find((line) =>
    line.t === "message" && line.message.role === "user" && line.message.kind === "clarification"
  );
  assertStringIncludes(JSON.stringify(said), "The red one");
  assertStringIncludes(JSON.stringify(said), "2026-01-31");
});

/** Scripts of a whole task, one a kind. */
const SCRIPTS: readonly (readonly [ThinkingSettings, readonly Turn[]])[] = [
  [{ kind: "tools" }, [act("find", { q: "a" }), act("Read"), act("finish", DONE)]],
  [{ kind: "sgr" }, [step("find", { q: "a" }), step("Read"), step("finish", DONE)]],
  [{ kind: "sgr-tools" }, [think(), act("find", { q: "a" }), think(), act("finish", DONE)]],
  [{ kind: "plan" }, [
    { content: '{"title": "T", "steps": ["one", "two"]}' },
    act("Read"),
    { content: "one done" },
    { content: "two done" },
    { content: "42" },
  ]],
];

Deno.test("a run that is killed behind any line of its trace goes on to the same end", async () => {
  for (const [settings, turns] of SCRIPTS) {
    const limits = { iterations: 4, searches: 1 };
    const whole = await run(turns, thinking(settings, limits));
    for (let cut = START.length; cut < whole.lines.length; cut++) {
      const kept = whole.lines.slice(0, cut);
      const used = kept.filter((line) => line.t === "reply").length;
      const play: Play = makePlay(turns.slice(used), thinking(settings, limits));
      for (const line of kept) play.parts.thinking!.note(line);
      const outcome = await runAgent(foldTrace(kept), play.parts);
      const { answer, termination_reason, state } = outcome;
      const at = `${settings.kind} ${cut}`;
      assertEquals([answer, termination_reason, state], ["42", "completed", "completed"], at);
      const plans = [...kept, ...play.lines].flatMap((line) => line.t === "plan" ? [line.plan] : []);
      const before = whole.lines.flatMap((line) => line.t === "plan" ? [line.plan] : []);
      assertEquals(plans, before, at);
      const left = whole.requests.slice(used);
      assertEquals(table(play.requests), table(left), at);
    }
  }
});

Deno.test("two calls a step need a tool that says how the work stands", () => {
  const known = [{ full_name: "set/think", step_part: "reason" }] as never;
  const error = assertThrows(() => checkThinking({ kind: "sgr-tools" }, { offered: [], known }), ToolError);
  assertEquals([error.code, error.details], ["invalid_input", { tools: ["set/think"] }]);
  assertStringIncludes(error.message, "add set/think");
  checkThinking({ kind: "tools" }, { offered: [], known });
});
