import { assertEquals, assertStringIncludes } from "@std/assert";

import type { ThinkingKind } from "../../../../schemas/step/thinking.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { ANSWER, byHistory, tell, THOUGHT } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const TOOLS = ["--tool=Read", "--tool=sgr/reasoning_tool", "--tool=sgr/final_answer_tool"];

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

for (const [kind, turns] of Object.entries(SCRIPTS)) {
  Deno.test(`run --thinking ${kind} does a task, and its recording plays back`, async () => {
    using scene = makeScene({ "ws/a.txt": "hello\n" });
    const words = ["Read it", "--thinking", kind, ...TOOLS];
    const file = scene.at("run.jsonl");
    await using model = scriptedModel(byHistory(turns));
    const { code, run, stderr } = await tell(scene, model, [...words, `--record=${file}`]);
    assertEquals([code, run.answer, run.state], [0, "It says hello.", "completed"], stderr);
    assertEquals(model.requests.length, turns.length);
    if (kind === "sgr") assertEquals(model.requests[0]!.body.response_format.type, "json_schema");
    if (kind === "sgr-tools") assertEquals(model.requests[0]!.body.tool_choice, "required");
    const replayed = await tell(scene, null, [...words, `--model=replay:${file}`, "--strict"]);
    assertEquals([replayed.code, replayed.run.answer], [0, "It says hello."], replayed.stderr);
  });
}

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
