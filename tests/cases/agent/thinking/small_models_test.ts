import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { ANSWER, readEvents, runAgent, tell, THOUGHT } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const READ = { path: "a.txt" };
const TOOLS = ["--tool=Read", "--tool=sgr/reasoning_tool", "--tool=sgr/final_answer_tool"];

const step = (name: string, input: object): string =>
  JSON.stringify({ ...THOUGHT, function: { tool_name_discriminator: name, ...input } });
const written = (name: string, input: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;

/**
 * A model behind a server that leaves out tools and schemas and says nothing: it knows of them only what stands in words,
 * and answers with texts alone.
 */
function deaf(words: string, texts: readonly string[]) {
  let at = 0;
  return ({ body: { messages } }: ScriptedRequest): ScriptedTurn =>
    JSON.stringify(messages).includes(words) ? { text: texts[at++]! } : { text: "Sure, I will read it." };
}

Deno.test("sgr: a server that leaves the schema out is told it in words, once and then always", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  const texts = [`I begin.\n\`\`\`json\n${step("Read", READ)}\n\`\`\``, step("final_answer_tool", ANSWER)];
  await using model = scriptedModel(deaf("JSON Schema", texts));
  const { code, run, stderr } = await tell(scene, model, ["Read it", "--thinking=sgr", ...TOOLS]);
  assertEquals([code, run.answer], [0, "It says hello."], stderr);
  const told = model.requests.map(({ body }) => JSON.stringify(body.messages[0]).includes("JSON Schema"));
  assertEquals(told, [false, true, false, true]);
  assertStringIncludes(model.requests[1]!.body.messages[0].content, "tool_name_discriminator");
  assertEquals(model.requests[1]!.body.response_format.type, "json_schema");
});

Deno.test("sgr-tools: a server that leaves the tools out is told them in words", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  const texts = [
    written("reasoning_tool", THOUGHT),
    // Some models go on with the object of another form, or with prose around a call.
    step("Read", READ),
    JSON.stringify(THOUGHT),
    `Now the answer: {"name": "FinalAnswerTool", "arguments": ${JSON.stringify(ANSWER)}}`,
  ];
  await using model = scriptedModel(deaf("<tools>", texts));
  const { code, run, stderr } = await tell(scene, model, ["Read it", "--thinking=sgr-tools", ...TOOLS]);
  assertEquals([code, run.answer], [0, "It says hello."], stderr);
  const told = model.requests.map(({ body }) => JSON.stringify(body.messages).includes("<tools>"));
  assertEquals(told, [false, true, false, true, true, true]);
  assertStringIncludes(JSON.stringify(model.requests[1]!.body.messages), "reasoning_tool");
  assertStringIncludes(JSON.stringify(model.requests[3]!.body.messages), "final_answer_tool");
});

const LONG: Readonly<Record<string, string>> = {
  "1 MB of prose": "I think about it. ".repeat(58_000),
  "1 MB of open texts": '{"a":"'.repeat(170_000),
};

for (const [name, text] of Object.entries(LONG)) {
  Deno.test(`${name} is a useless reply, and the run goes on`, async () => {
    using scene = makeScene({ "ws/a.txt": "hello\n" });
    for (const kind of ["sgr", "sgr-tools"] as const) {
      const good = (request: ScriptedRequest): ScriptedTurn => {
        if (kind === "sgr") return { text: step("final_answer_tool", ANSWER) };
        const [first, ...others] = request.body.tools ?? [];
        const isThought = others.length === 0 && first?.function.name === "reasoning_tool";
        return isThought
          ? { tool_calls: [{ name: "reasoning_tool", arguments: THOUGHT }] }
          : { tool_calls: [{ name: "final_answer_tool", arguments: ANSWER }] };
      };
      const events = [
        { choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        "[DONE]",
      ];
      await using model = scriptedModel((request, n) => n === 0 ? { events } : good(request));
      const words = ["Read it", "--thinking", kind, ...TOOLS, "--events"];
      const { code, stdout, stderr } = await runAgent(scene, model, words);
      const { events: told, end } = readEvents(stdout);
      assertEquals([code, end.answer], [0, "It says hello."], stderr.slice(0, 2_000));
      const warnings = told.flatMap((event) => event.type === "warning" ? [event.message] : []);
      assert(warnings.some((warning) => /it is asked again/.test(warning) && warning.length < 1_000));
    }
  });
}
