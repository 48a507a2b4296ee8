import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { readTrace } from "../../../../runtime/state/sessions/trace_file.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { runAgent, tell } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const KEY = "sk-of-the-file-0123456789abcdef";
const THOUGHT = {
  reasoning_steps: ["look at the task", "answer it"],
  current_situation: "nothing is done",
  plan_status: "no plan",
  enough_data: true,
  remaining_steps: ["answer"],
  task_completed: false,
};
const ANSWER = { reasoning: "done", completed_steps: ["looked"], answer: "It is done.", status: "completed" };

const CHOICE = { tool_name_discriminator: "final_answer_tool", ...ANSWER };

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });

/** The replies to a task, by the class of the agent. */
const REPLIES: Readonly<Record<string, readonly ScriptedTurn[]>> = {
  ToolCallingAgent: [call("final_answer_tool", ANSWER)],
  SGRToolCallingAgent: [call("reasoning_tool", THOUGHT), call("final_answer_tool", ANSWER)],
  "sgr_agent_core.agents.SGRAgent": [{ text: JSON.stringify({ ...THOUGHT, function: CHOICE }) }],
};

/** A file of agents in today's form, whose model is at an address of this machine. */
function team(url: string): string {
  const agents = Object.keys(REPLIES).map((base, at) =>
    `  agent_${at}:\n    base_class: "${base}"\n    llm: { temperature: 0.3 }\n` +
    `    prompts: { system_prompt_file: texts/system.txt }\n    tools: ["FinalAnswerTool", adapt_plan_tool]\n`
  );
  return `llm: { api_key: "${KEY}", base_url: "${url}", model: of-the-file, max_tokens: 900 }\n` +
    `execution: { max_iterations: 4, logs_dir: logs }\nagents:\n${agents.join("")}`;
}

/** Every task has the same replies, wherever in a session it stands. */
function byTask(turns: readonly ScriptedTurn[]) {
  return (_: ScriptedRequest, n: number): ScriptedTurn => turns[n % turns.length]!;
}

for (const [at, [base, turns]] of Object.entries(REPLIES).entries()) {
  Deno.test(`run --agents FILE does a task as ${base}, and --resume goes on as the same agent`, async () => {
    await using model = scriptedModel(byTask(turns));
    using scene = makeScene({
      "ws/texts/system.txt": "You are of the team.",
      "ws/team.yaml": team(model.url),
    });
    const words = ["Do it", "--agents=team.yaml", `--agent=agent_${at}`, "--session=s1"];
    const begun = await tell(scene, null, words);
    assertEquals([begun.code, begun.run.answer], [0, "It is done."], begun.stderr);
    const later = await tell(scene, null, ["Again", "--resume=s1"], { cwd: scene.root });
    assertEquals([later.code, later.run.answer], [0, "It is done."], later.stderr);
    assertEquals(model.requests.length, 2 * turns.length);
    for (const { headers, body } of model.requests) {
      assertEquals([body.model, body.temperature], ["of-the-file", 0.3]);
      assertEquals(body.max_tokens ?? body.max_completion_tokens, 900);
      assertEquals(headers.get("authorization"), `Bearer ${KEY}`);
      assertStringIncludes(JSON.stringify(body.messages[0]), "You are of the team.");
    }
    const path = scene.at("state/bulkhead/sessions/s1/trace.jsonl");
    const runs = (await readTrace(path)).flatMap((line) => line.t === "run" ? [line] : []);
    assertEquals(runs.map(({ settings }) => settings?.agent), [
      { name: `agent_${at}`, file: `${scene.ws}/team.yaml` },
      { name: `agent_${at}`, file: `${scene.ws}/team.yaml` },
    ]);
    assert(!Deno.readTextFileSync(path).includes(KEY));
    assert(![begun, later].some((told) => JSON.stringify(told).includes(KEY)));
  });
}

Deno.test("tools get neither the file of agents with its key, nor a way to change it", async () => {
  await using model = scriptedModel([
    call("Read", { path: "team.yaml" }),
    call("Write", { path: "team.yaml", content: "x", overwrite: true }),
    call("final_answer_tool", ANSWER),
  ]);
  using scene = makeScene();
  scene.write("ws/team.yaml", team(model.url).replaceAll("adapt_plan_tool", "harness/Read, harness/Write"));
  const { code, run, stderr } = await tell(scene, null, ["Do it", "--agents=team.yaml", "--agent=agent_0"]);
  assertEquals([code, run.refused.map(({ tool }) => tool)], [0, ["harness/Read", "harness/Write"]], stderr);
  assertEquals(scene.read("ws/team.yaml").includes(KEY), true);
});

Deno.test("an agent of the configuration has its grants, and one of a project grants nothing and has no model", async () => {
  await using model = scriptedModel(byTask([
    call("Write", { path: "a.txt", content: "x", overwrite: true }),
    { text: "Done." },
  ]));
  const writer = { tools: ["Write"], grants: { policy: "read-only", allow: { write: ["a.txt"] } } };
  using scene = makeScene({
    "home/.config/bulkhead/config.json": JSON.stringify({ agents: { writer } }),
    "ws/bulkhead.json": JSON.stringify({
      agents: {
        theirs: {
          ...writer,
          model: { name: "evil", base_url: "http://127.0.0.1:1/v1" },
          prompts: { system: "x" },
        },
        writer: { limits: { max_rounds: 1 } },
      },
    }),
  });
  const theirs = await runAgent(scene, model, ["Go", "--agent=theirs", "--no-session"]);
  assertEquals([theirs.stdout, scene.exists("ws/a.txt")], ["Done.\n", false], theirs.stderr);
  for (const field of ["model", "prompts", "grants.allow"]) {
    assertStringIncludes(theirs.stderr, `agents.theirs.${field} ignored: not trusted`);
  }
  const own = await runAgent(scene, model, ["Go", "--agent=writer", "--no-session"]);
  assertEquals([own.code, scene.exists("ws/a.txt")], [7, true], own.stderr);
});

Deno.test("agents lists all, shows what one may touch without its key, and names what is wrong", async () => {
  using scene = makeScene({ "ws/team.yaml": team("http://127.0.0.1:9/v1"), "ws/bad.yaml": "agents: [" });
  const list = JSON.parse((await scene.run(["agents", "--agents=team.yaml", "--json"])).stdout);
  assertEquals(list.map(({ name }: { name: string }) => name), [
    ...[
      "default",
      "research",
      "manus",
      "swe",
      "data_analysis",
      "browser",
      "dialog",
      "agent_0",
      "agent_1",
      "agent_2",
    ],
  ]);
  const words = ["agents", "agent_1", "--agents=team.yaml", "--policy=read-only-no-net"];
  const { code, stdout, stderr } = await scene.run([...words, "--json"]);
  assertEquals([code, (stdout + stderr).includes(KEY)], [0, false]);
  const shown = JSON.parse(stdout);
  assertEquals([shown.kind, shown.policy, shown.limits.iterations], ["sgr-tools", "read-only-no-net", 4]);
  assertEquals(shown.model, {
    name: "of-the-file",
    base_url: "http://127.0.0.1:9/v1",
    key: `in ${scene.ws}/team.yaml`,
  });
  const research = await scene.run(["agents", "research", "--policy=read-only-no-net"]);
  assertStringIncludes(research.stdout, "sgr/create_report_tool");
  const wrong = await Promise.all([
    scene.run(["agents", "reserch"]),
    scene.run(["agents", "--agents=bad.yaml"]),
    scene.run(["run", "x", "--agents=team.yaml", "--model=replay:none"]),
  ]);
  assertEquals(wrong.map((one) => one.code), [2, 6, 2]);
  assertStringIncludes(wrong[0]!.stderr, 'did you mean "research"?');
  assertStringIncludes(wrong[2]!.stderr, "choose one with --agent: agent_0, agent_1, agent_2");
});
