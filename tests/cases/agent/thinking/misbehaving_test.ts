import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { ThinkingKind } from "../../../../schemas/step/thinking.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { readEvents, runAgent, THOUGHT } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const ANSWER = { reasoning: "read", completed_steps: ["read"], answer: "It is read.", status: "completed" };
const TOOLS = ["--tool=Read", "--tool=sgr/reasoning_tool", "--tool=sgr/final_answer_tool"];
const SITUATION = "x".repeat(306);

/**
 * What a model says wrong, and what it is told with the next request. A person is told of a failed call or a
 * warning of the result, or what stands here. A slip answers the request for a tool, or that of its phase.
 */
type Slip = readonly [
  name: string,
  said: ScriptedTurn,
  told: string,
  shown?: string,
  phase?: "think" | "plan",
];

const call = (name: string, input: unknown, rest: ScriptedTurn = {}): ScriptedTurn => ({
  ...rest,
  tool_calls: [{ name, arguments: input }],
});
const step = (name: string, input: unknown, thought: object = THOUGHT): string =>
  JSON.stringify({ ...thought, function: { tool_name_discriminator: name, ...input as object } });
const path = "f0.txt";

const TWO_CALLS: ScriptedTurn = {
  tool_calls: [path, "f1.txt"].map((path) => ({ name: "Read", arguments: { path } })),
};

const EMPTY: readonly Slip[] = [
  ["empty", { text: "" }, "Your reply was empty", "reply was empty"],
  ["thoughts alone", { text: "<think>Hm.</think>" }, "was empty", "was empty"],
];

/** Slips of models that call tools. */
const CALLS: readonly Slip[] = [
  ["other case", call("READ", { path }), "was read as 'Read'"],
  ["another name", call("Read", { file_path: path }), "was read as 'path'"],
  ...EMPTY,
  ["cut off", call("Read", '{"path": "f', { finish: "length" }), "none of its calls was run", "was cut off"],
];

/** Slips of steps that must be a call. */
const FORCED: readonly Slip[] = [
  ...CALLS,
  ["no call", { text: "I think so." }, "Your reply has no call", "made no call"],
  ["two calls", TWO_CALLS, "A step makes one call", "2 calls in a step of one"],
  [
    "prose around a call",
    { text: `I read it:\n{"name": "Read", "arguments": {"path": "${path}"}}\nThat is all.` },
    ...["was written as text", "wrote its call as text"] as const,
  ],
  [
    "306 characters",
    call("reasoning_tool", { ...THOUGHT, current_situation: SITUATION }),
    ...["has 306 characters and was cut to 300", "", "think"] as const,
  ],
  ["another tool first", call("Read", { path }), "A step begins with a call of reasoning_tool", "", "think"],
  [
    "thoughts and a tool at once",
    { tool_calls: [{ name: "Read", arguments: { path } }, { name: "reasoning_tool", arguments: THOUGHT }] },
    ...["A step makes one call: Read", "only reasoning_tool is run", "think"] as const,
  ],
];

/** Slips of steps that are one object. */
const OBJECTS: readonly Slip[] = [
  ["prose", { text: "I think so." }, "there is no JSON object in it", "not the JSON"],
  ...EMPTY,
  [
    "cut off",
    { text: step("Read", { path }).slice(0, -12), finish: "length" },
    ...["Reply again with one whole JSON object", "was cut off"] as const,
  ],
  [
    "306 characters and four steps",
    {
      text: step("Read", { path }, {
        ...THOUGHT,
        current_situation: SITUATION,
        reasoning_steps: [..."abcd"],
      }),
    },
    ...["has 306 characters and was cut to 300", "has 4 items and was cut to 3"] as const,
  ],
  ["calls", TWO_CALLS, "A step makes one call", "2 calls in a step of one"],
];

const SLIPS: Readonly<Record<ThinkingKind, readonly Slip[]>> = {
  tools: CALLS,
  sgr: OBJECTS,
  "sgr-tools": FORCED,
  plan: [
    ["no plan", { text: "Sure!" }, "Your reply is no plan", "no plan", "plan"],
    ...CALLS.filter(([name]) => name !== "thoughts alone"),
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
    const place = left.findIndex((slip) => slip[4] === phase);
    if (good && place >= 0) {
      const [name, said] = left.splice(place, 1)[0]!;
      at.set(name, n);
      good = false;
      return said;
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

function phaseOf({ body: { tools = [], response_format: form } }: ScriptedRequest): Slip[4] {
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
    for (const [name, , told, seen] of slips) {
      const n = at.get(name);
      assert(n !== undefined, `${name} was not said`);
      const { messages } = model.requests[n + 1]!.body;
      assertStringIncludes(JSON.stringify(messages.slice(-3)), told, name);
      if (seen) assertStringIncludes(shown.join("\n"), seen, name);
    }
  });
}
