import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { ThinkingKind } from "../../../../schemas/step/thinking.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { readEvents, runAgent } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const THOUGHT = {
  reasoning_steps: ["look at the task", "read the file"],
  current_situation: "nothing is read",
  plan_status: "no plan",
  enough_data: false,
  remaining_steps: ["read the file"],
  task_completed: false,
};
const ANSWER = { reasoning: "read", completed_steps: ["read"], answer: "It is read.", status: "completed" };
const TOOLS = ["--tool=Read", "--tool=sgr/reasoning_tool", "--tool=sgr/final_answer_tool"];
const SITUATION = "x".repeat(306);

/** What a model says wrong, and what it is told with the next request. */
interface Slip {
  name: string;
  /** Which requests it answers: the one for a thought, for the plan, or for a tool. @default a tool */
  phase?: "think" | "plan";
  said: ScriptedTurn;
  told: string;
  /** What a person is told. @default a failed call, or a warning of the result */
  shown?: string;
}

const call = (name: string, input: unknown, rest: ScriptedTurn = {}): ScriptedTurn => ({
  ...rest,
  tool_calls: [{ name, arguments: input }],
});
const step = (name: string, input: unknown, thought: object = THOUGHT): string =>
  JSON.stringify({ ...thought, function: { tool_name_discriminator: name, ...input as object } });
const path = "f0.txt";

const EMPTY: readonly Slip[] = [
  { name: "empty", said: { text: "" }, told: "Your reply was empty", shown: "reply was empty" },
  { name: "thoughts alone", said: { text: "<think>Hm.</think>" }, told: "was empty", shown: "was empty" },
];

/** Slips of models that call tools. */
const CALLS: readonly Slip[] = [
  { name: "unknown tool", said: call("rummage", {}), told: 'Unknown tool \\"rummage\\"' },
  { name: "other case", said: call("READ", { path }), told: "was read as 'Read'" },
  { name: "broken JSON", said: call("Read", '{"path": "f0'), told: "send it again with valid JSON" },
  { name: "a list", said: call("Read", [[{ path }]]), told: "they must be one JSON object" },
  { name: "a number as a text", said: call("Read", { path, start_line: "1" }), told: "was read as 1" },
  { name: "another name", said: call("Read", { file_path: path }), told: "was read as 'path'" },
  ...EMPTY,
  {
    name: "cut off",
    said: call("Read", '{"path": "f', { finish: "length" }),
    told: "none of its calls was run",
    shown: "was cut off",
  },
];

/** Slips of steps that must be a call. */
const FORCED: readonly Slip[] = [
  ...CALLS,
  { name: "no call", said: { text: "I think so." }, told: "Your reply has no call", shown: "made no call" },
  { name: "refusal", said: { text: "I cannot help with that." }, told: "has no call", shown: "made no call" },
  {
    name: "two calls",
    said: {
      tool_calls: [{ name: "Read", arguments: { path } }, { name: "Read", arguments: { path: "f1.txt" } }],
    },
    told: "A step makes one call",
    shown: "2 calls in a step of one",
  },
  {
    name: "prose around a call",
    said: { text: `I read it:\n{"name": "Read", "arguments": {"path": "${path}"}}\nThat is all.` },
    told: "was written as text",
    shown: "wrote its call as text",
  },
  {
    name: "broken JSON as text",
    said: { text: 'I read it: {"name": "Read", "arguments": {"path": f' },
    told: "JSON is broken",
    shown: "made no call",
  },
  {
    name: "306 characters",
    phase: "think",
    said: call("reasoning_tool", { ...THOUGHT, current_situation: SITUATION }),
    told: "has 306 characters and was cut to 300",
  },
  {
    name: "four steps",
    phase: "think",
    said: call("reasoning_tool", { ...THOUGHT, reasoning_steps: [..."abcd"] }),
    told: "has 4 items and was cut to 3",
  },
  {
    name: "a field is missing",
    phase: "think",
    said: call("reasoning_tool", { ...THOUGHT, plan_status: undefined }),
    told: "plan_status",
  },
  {
    name: "another tool first",
    phase: "think",
    said: call("Read", { path }),
    told: "A step begins with a call of reasoning_tool",
  },
  {
    name: "thoughts and a tool at once",
    phase: "think",
    said: {
      tool_calls: [{ name: "Read", arguments: { path } }, { name: "reasoning_tool", arguments: THOUGHT }],
    },
    told: "A step makes one call: Read",
    shown: "only reasoning_tool is run",
  },
  {
    name: "thoughts as text",
    phase: "think",
    said: { text: `My view:\n\`\`\`json\n${JSON.stringify(THOUGHT)}\n\`\`\`` },
    told: "was written as text",
    shown: "wrote its call as text",
  },
];

/** Slips of steps that are one object. */
const OBJECTS: readonly Slip[] = [
  {
    name: "prose",
    said: { text: "I think so." },
    told: "there is no JSON object in it",
    shown: "not the JSON",
  },
  ...EMPTY,
  {
    name: "broken JSON",
    said: { text: '{"reasoning_steps": [tru' },
    told: "its JSON is broken",
    shown: "not the JSON",
  },
  {
    name: "cut off",
    said: { text: step("Read", { path }).slice(0, -12), finish: "length" },
    told: "Reply again with one whole JSON object",
    shown: "was cut off",
  },
  {
    name: "306 characters and four steps",
    said: {
      text: step("Read", { path }, {
        ...THOUGHT,
        current_situation: SITUATION,
        reasoning_steps: [..."abcd"],
      }),
    },
    told: "has 306 characters and was cut to 300",
    shown: "has 4 items and was cut to 3",
  },
  { name: "unknown tool", said: { text: step("rummage", {}) }, told: 'Unknown tool \\"rummage\\"' },
  {
    name: "prose around it, another case",
    said: { text: `Let me see.\n${step("READ", { path })}\nThat is it.` },
    told: "contents of f0",
  },
  {
    name: "two objects",
    said: { text: `${step("Read", { path })}\n${step("Read", { path: "f1.txt" })}` },
    told: "A step is one tool: Read",
    shown: "A step is one tool",
  },
  {
    name: "a list of tools",
    said: { text: JSON.stringify({ ...THOUGHT, function: [{ name: "Read", arguments: { path } }] }) },
    told: "contents of f0",
  },
  {
    name: "arguments beside the name, numbers as texts",
    said: {
      text: JSON.stringify({ ...THOUGHT, function: "Read", arguments: { file_path: path, start_line: "1" } }),
    },
    told: "was read as 'path'",
  },
  {
    name: "calls",
    said: {
      tool_calls: [{ name: "Read", arguments: { path } }, { name: "Read", arguments: { path: "f1.txt" } }],
    },
    told: "A step makes one call",
    shown: "2 calls in a step of one",
  },
];

const SLIPS: Readonly<Record<ThinkingKind, readonly Slip[]>> = {
  tools: CALLS,
  sgr: OBJECTS,
  "sgr-tools": FORCED,
  plan: [
    {
      name: "no plan",
      phase: "plan",
      said: { text: "Sure!" },
      told: "Your reply is no plan",
      shown: "no plan",
    },
    ...CALLS.filter(({ name }) => name !== "thoughts alone"),
  ],
};

/** A model that does everything right where it does not slip: each slip is followed by a good step. */
function slipping(kind: ThinkingKind, slips: readonly Slip[]) {
  const left = [...slips];
  /** Numbers of the requests that got a slip. */
  const at = new Map<string, number>();
  let good = true;
  let files = 0;
  const turn = (request: ScriptedRequest, n: number): ScriptedTurn => {
    const phase = phaseOf(request);
    const place = left.findIndex((slip) => slip.phase === phase);
    if (good && place >= 0) {
      const [slip] = left.splice(place, 1);
      at.set(slip!.name, n);
      good = false;
      return slip!.said;
    }
    if (phase === "plan") {
      good = true;
      return { text: '{"title": "Read", "steps": ["read the files"]}' };
    }
    if (phase === "think") return call("reasoning_tool", THOUGHT);
    good = true;
    const isOver = left.length === 0;
    const input = isOver ? ANSWER : { path: `f${++files}.txt` };
    const name = isOver ? "final_answer_tool" : "Read";
    if (isOver && kind === "plan") return { text: "It is read." };
    return kind === "sgr" ? { text: step(name, input) } : call(name, input);
  };
  return { turn, at };
}

function phaseOf({ body: { tools = [], response_format: form } }: ScriptedRequest): Slip["phase"] {
  if (form?.json_schema?.name === "plan") return "plan";
  return tools.length === 1 && tools[0].function.name === "reasoning_tool" ? "think" : undefined;
}

for (const kind of ["tools", "sgr", "sgr-tools", "plan"] as const) {
  Deno.test(`thinking ${kind}: what a model says wrong is told to it and to the person, and the run goes on`, async () => {
    const slips = SLIPS[kind];
    const files = Array.from({ length: slips.length + 2 }, (_, n) => [`ws/f${n}.txt`, `contents of f${n}\n`]);
    using scene = makeScene(Object.fromEntries(files));
    const { turn, at } = slipping(kind, slips);
    await using model = scriptedModel(turn);
    const words = ["Read them", "--thinking", kind, ...TOOLS, "--events"];
    const { code, stdout, stderr } = await runAgent(scene, model, words);
    const { events, end } = readEvents(stdout);
    assertEquals([code, end.answer, end.state], [0, "It is read.", "completed"], stderr);
    const shown = events.flatMap((event) => event.type === "warning" ? [event.message] : []);
    for (const slip of slips) {
      const n = at.get(slip.name);
      assert(n !== undefined, `${slip.name} was not said`);
      const { messages } = model.requests[n + 1]!.body;
      assertStringIncludes(JSON.stringify(messages.slice(-3)), slip.told, slip.name);
      if (slip.shown) assertStringIncludes(shown.join("\n"), slip.shown, slip.name);
    }
  });
}

Deno.test("the same search again: the model is told, and a budget counts it", async () => {
  using scene = makeScene({ "ws/f0.txt": "hello\n" });
  const again: ScriptedTurn[] = Array.from({ length: 3 }, () => ({ text: step("Read", { path }) }));
  await using model = scriptedModel([...again, { text: step("final_answer_tool", ANSWER) }]);
  const words = ["Read it", "--thinking=sgr", ...TOOLS, "--events"];
  const { code, stdout } = await runAgent(scene, model, words);
  assertEquals([code, readEvents(stdout).end.answer], [0, "It is read."]);
  assertStringIncludes(JSON.stringify(model.requests[3]!.body.messages.at(-1)), "the same call 3 times");
});

Deno.test("replies of no use end a run by the budget, with its reason", async () => {
  using scene = makeScene({ "ws/f0.txt": "hello\n" });
  for (const kind of ["sgr", "sgr-tools"]) {
    await using model = scriptedModel(() => ({ text: "I cannot help with that." }));
    const { code, stdout } = await runAgent(scene, model, [
      "Read it",
      "--thinking",
      kind,
      ...TOOLS,
      "--events",
    ]);
    const { end } = readEvents(stdout);
    assertEquals([code, end.termination_reason, end.state, model.requests.length], [
      5,
      "too_many_faults",
      "error",
      5,
    ]);
  }
});
