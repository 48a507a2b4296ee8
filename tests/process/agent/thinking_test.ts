import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { ThinkingKind } from "../../../schemas/step/thinking.ts";
import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { readEvents, runAgent, startAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

const THOUGHT = {
  reasoning_steps: ["look at the task", "read the file"],
  current_situation: "nothing is read",
  plan_status: "no plan",
  enough_data: false,
  remaining_steps: ["read the file"],
  task_completed: false,
};
const ANSWER = {
  reasoning: "read",
  completed_steps: ["read"],
  answer: "It says hello.",
  status: "completed",
};
const TOOLS = ["--tool=Read", "--tool=sgr/reasoning_tool", "--tool=sgr/final_answer_tool"];
const ASKING = [...TOOLS, "--tool=sgr/clarification_tool"];
const CLARIFICATION = {
  reasoning: "unclear",
  unclear_terms: ["file"],
  assumptions: ["a.txt", "b.txt"],
  questions: ["Which file?"],
};

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const step = (name: string, input: object): ScriptedTurn => ({
  text: JSON.stringify({ ...THOUGHT, function: { tool_name_discriminator: name, ...input } }),
});

/** What a model says of each kind after so many replies. */
const SCRIPTS: Readonly<Record<ThinkingKind, readonly ScriptedTurn[]>> = {
  tools: [call("Read", { path: "a.txt" }), call("final_answer_tool", ANSWER)],
  sgr: [step("Read", { path: "a.txt" }), step("final_answer_tool", ANSWER)],
  "sgr-tools": [
    call("reasoning_tool", THOUGHT),
    call("Read", { path: "a.txt" }),
    call("reasoning_tool", THOUGHT),
    call("final_answer_tool", ANSWER),
  ],
  plan: [
    { text: '{"title": "Read", "steps": ["read the file", "tell it"]}' },
    call("Read", { path: "a.txt" }),
    { text: "It was read." },
    { text: "It was told." },
    { text: "It says hello." },
  ],
};

/** Replies by what was said before, so that a run that goes on gets the same. */
function byHistory(turns: readonly ScriptedTurn[]) {
  return ({ body }: ScriptedRequest): ScriptedTurn =>
    turns[body.messages.filter(({ role }: { role: string }) => role === "assistant").length] ??
      { status: 500, body: {} };
}

for (const [kind, turns] of Object.entries(SCRIPTS)) {
  Deno.test(`run --thinking ${kind} does a task, is killed behind each reply, and goes on to the same end`, async () => {
    using scene = makeScene({ "ws/a.txt": "hello\n" });
    {
      await using model = scriptedModel(byHistory(turns));
      const { code, run, stderr } = await tell(scene, model, ["Read it", "--thinking", kind, ...TOOLS]);
      assertEquals([code, run.answer, run.state], [0, "It says hello.", "completed"], stderr);
      assertEquals(model.requests.length, turns.length);
      if (kind === "sgr") assertEquals(model.requests[0]!.body.response_format.type, "json_schema");
      if (kind === "sgr-tools") assertEquals(model.requests[0]!.body.tool_choice, "required");
    }
    for (let at = 1; at < turns.length; at++) {
      const id = `k${at}`;
      const asked = Promise.withResolvers<void>();
      await using stalling = scriptedModel((request, n) => {
        if (n < at) return byHistory(turns)(request);
        asked.resolve();
        return { events: [], stallAfter: 0 };
      });
      const running = await startAgent(scene, stalling, [
        "Read it",
        "--thinking",
        kind,
        ...TOOLS,
        `--session=${id}`,
      ]);
      await asked.promise;
      running.kill("SIGKILL");
      await running.ended();
      await using model = scriptedModel(byHistory(turns));
      const { code, run, stderr } = await tell(scene, model, [`--resume=${id}`]);
      assertEquals([code, run.answer, run.state], [0, "It says hello.", "completed"], `${id} ${stderr}`);
      assertEquals(model.requests.length, turns.length - at, id);
    }
  });
}

Deno.test("without a person a run ends with its questions, and goes on with the answer", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  const turns = [
    call("reasoning_tool", THOUGHT),
    call("clarification_tool", CLARIFICATION),
    call("reasoning_tool", THOUGHT),
    call("final_answer_tool", ANSWER),
  ];
  await using model = scriptedModel(byHistory(turns));
  const words = ["Read it", "--thinking=sgr-tools", ...ASKING, "--session=q1"];
  const waiting = await tell(scene, model, words);
  assertEquals([waiting.code, waiting.run.termination_reason, waiting.run.state, waiting.run.questions], [
    0,
    "waiting_for_clarification",
    "waiting_for_clarification",
    ["Which file?"],
  ]);
  const again = await runAgent(scene, model, ["--resume=q1", "a.txt, please", "--events"]);
  const { events, end } = readEvents(again.stdout);
  assertEquals([again.code, end.answer, end.state], [0, "It says hello.", "completed"], again.stderr);
  assert(events[0]?.type === "run.start" && events[0].state === "researching");
  const asked = JSON.stringify(model.requests[2]!.body.messages);
  assertStringIncludes(asked, "a.txt, please");
  assertStringIncludes(asked, "answers your questions");
  const lines = await readTrace(scene.at("state/bulkhead/sessions/q1/trace.jsonl"));
  const states = lines.flatMap((line) =>
    line.t === "run" ? [line.state] : line.t === "end" ? [line.outcome.state] : []
  );
  assertEquals(states, ["researching", "waiting_for_clarification", "researching", "completed"]);
});

Deno.test("a server that takes no schema and no forced call is asked in words", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  const refusing = (turns: readonly ScriptedTurn[]) => (request: ScriptedRequest): ScriptedTurn => {
    const { body } = request;
    for (const field of ["response_format", "tool_choice"]) {
      if (field in body) {
        return { status: 400, body: { error: { message: `Unsupported parameter: ${field}` } } };
      }
    }
    return byHistory(turns)(request);
  };
  for (const kind of ["sgr", "sgr-tools"] as const) {
    await using model = scriptedModel(refusing(SCRIPTS[kind]));
    const { code, run, stderr } = await tell(scene, model, ["Read it", "--thinking", kind, ...TOOLS]);
    assertEquals([code, run.answer], [0, "It says hello."], stderr);
    // It is refused once, and then known.
    assertEquals(model.requests.length, SCRIPTS[kind].length + 1);
    const [first] = model.requests[1]!.body.messages;
    assertStringIncludes(first.content, kind === "sgr" ? "JSON Schema" : "must be a call");
  }
});

Deno.test("a recording of each kind plays back", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  for (const [kind, turns] of Object.entries(SCRIPTS)) {
    const words = ["Read it", "--thinking", kind, ...TOOLS];
    const file = scene.at(`${kind}.jsonl`);
    await using model = scriptedModel(byHistory(turns));
    assertEquals((await tell(scene, model, [...words, `--record=${file}`])).code, 0);
    const { code, run, stderr } = await tell(scene, null, [...words, `--model=replay:${file}`, "--strict"]);
    assertEquals([code, run.answer], [0, "It says hello."], `${kind}: ${stderr}`);
  }
});
