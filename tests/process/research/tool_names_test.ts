// A tool has one name and several spellings: each place where a person, a client or a model names one takes them all.
import { assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel } from "../../support/scripted_model.ts";
import { FINISH } from "../../support/web/research_scene.ts";
import { tell } from "../../support/cli/agent_scene.ts";
import { connect } from "../../support/cli/mcp/client.ts";
import { makeScene } from "../../support/cli/scene.ts";

const [, INPUT] = FINISH;
const NAMES = ["FinalAnswerTool", "finalanswertool", "sgr/FinalAnswerTool"];

Deno.test("spellings of a name mean the tool on the command line, in batches and in the configuration", async () => {
  using scene = makeScene();
  const input = JSON.stringify(INPUT);
  const table: string[][] = [
    ["explain", "FinalAnswerTool", input],
    ["tools", "finalanswertool"],
    ["schema", "sgr/FinalAnswerTool"],
    ["call", "sgr/finalanswertool", input, "--json", "--tool-timeout=FinalAnswerTool=9"],
  ];
  for (const words of table) {
    const { code, stdout, stderr } = await scene.run(words);
    assertEquals(code, 0, `${words}: ${stderr}`);
    assertStringIncludes(stdout, "final_answer_tool");
  }
  const { answers } = await scene.batch(NAMES.map((tool) => ({ tool, arguments: INPUT })));
  assertEquals(
    answers.map(({ ok, tool_name }) => [ok, tool_name]),
    NAMES.map(() => [true, "sgr/final_answer_tool"]),
  );
  for (const name of NAMES) {
    scene.write("rules.json", JSON.stringify({ tools: { [name]: { permission: "deny" } } }));
    const refused = await scene.call("sgr/final_answer_tool", INPUT, [`--config=${scene.at("rules.json")}`]);
    assertEquals([refused.code, refused.error?.code], [3, "denied_by_policy"]);
  }
  const unknown = await scene.run(["call", "FinalAnserTool", input]);
  assertEquals(unknown.code, 2);
  assertStringIncludes(unknown.stderr, "did you mean final_answer_tool or sgr/final_answer_tool?");
});

Deno.test("spellings of a name mean the tool that is offered to a client or a model", async () => {
  using scene = makeScene();
  await using client = await connect(scene, {
    flags: ["--tool", "FinalAnswerTool", "--tool", "sgr/reasoningtool"],
  });
  for (const name of ["final_answer_tool", "FinalAnswerTool", "finalanswertool"]) {
    assertEquals((await client.call(name, INPUT as Record<string, unknown>)).isError, false, name);
  }
  const { error } = await client.ask("tools/call", { name: "AnswerTool", arguments: {} });
  assertEquals(error?.code, -32602);
  for (const name of ["FinalAnswerTool", "finalanswertool"]) {
    await using model = scriptedModel([{ tool_calls: [{ name, arguments: INPUT }] }]);
    const { code, run, stderr } = await tell(scene, model, ["Do it", `--tool=${name}`, "--no-session"]);
    assertEquals([code, run.state ?? run.termination_reason], [0, "completed"], stderr);
  }
});
