import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { tell } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const FORMS = join(import.meta.dirname!, "../../../fixtures/agents");
const THOUGHT = {
  reasoning_steps: ["look at the task", "answer it"],
  current_situation: "nothing is done",
  plan_status: "no plan",
  enough_data: true,
  remaining_steps: ["answer"],
  task_completed: false,
};
const FINAL = { reasoning: "r", completed_steps: ["all"], answer: "It is done.", status: "completed" };
const TALK = { reasoning: "r", intermediate_result: "It is done.", continue_research: false };

/** Ends a task at once, in the way in which it is asked. */
function ending({ body }: ScriptedRequest): ScriptedTurn {
  const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
  // deno-lint-ignore no-explicit-any
  const tools: string[] = (body.tools ?? []).map((tool: any) => tool.function.name);
  if (tools.length === 0) {
    const choice = { tool_name_discriminator: "final_answer_tool", ...FINAL };
    return { text: JSON.stringify({ ...THOUGHT, function: choice }) };
  }
  if (tools.length === 1 && tools[0] === "reasoning_tool") return call("reasoning_tool", THOUGHT);
  return tools.includes("final_answer_tool") ? call("final_answer_tool", FINAL) : call("answer_tool", TALK);
}

/** An agent of each form, and how its run ends. */
const AGENTS: readonly [file: string, agent: string, reason: string][] = [
  ["first_config.yaml", "sgr_tool_calling_agent", "completed"],
  ["agents_by_name.yaml", "own_texts", "completed"],
  ["tools_section.yaml", "talker", "waiting_for_clarification"],
  ["settings_in_items.yaml", "by_key", "completed"],
  ["own_classes.yaml", "keeper", "completed"],
];

for (const [file, agent, reason] of AGENTS) {
  Deno.test(`the agent ${agent} of ${file} does a task`, async () => {
    await using model = scriptedModel(ending);
    // Nobody is asked but on this machine.
    const text = (await Deno.readTextFile(join(FORMS, file)))
      .replaceAll(/https:\/\/[a-z]+\.example\/mcp/g, "http://127.0.0.1:9/mcp");
    using scene = makeScene({ [`ws/${file}`]: text });
    const words = [
      "Do it",
      `--agents=${file}`,
      `--agent=${agent}`,
      "--no-session",
      `--base-url=${model.url}`,
    ];
    const { code, run, stderr } = await tell(scene, null, [...words, "--model=test-model"]);
    assertEquals([code, run.termination_reason, run.agent], [0, reason, agent], stderr);
    assertStringIncludes(`${run.answer} ${run.questions ?? ""}`, "It is done.", JSON.stringify(run));
  });
}
