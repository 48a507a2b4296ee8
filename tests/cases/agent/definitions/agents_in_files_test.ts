import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { readTrace } from "../../../../runtime/state/sessions/trace_file.ts";
import { boxTest } from "../../../support/box.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { readEvents, runAgent, tell } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const FIXTURES = join(import.meta.dirname!, "../../../fixtures");
const PROBE = await Deno.readTextFile(join(FIXTURES, "mcp/probe_server.sh"));
const FINAL = { reasoning: "r", completed_steps: ["all"], answer: "It is done.", status: "completed" };

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const DONE = call("final_answer_tool", FINAL);

function toolsOf({ body }: ScriptedRequest): string[] {
  // deno-lint-ignore no-explicit-any
  return body.tools.map((tool: any) => tool.function.name);
}

/** A server that tries whatever it is told to, in the folder `server`. */
const SERVER = {
  "server/package.json": "{}",
  "server/server.sh": PROBE,
  "server/hello.json": JSON.stringify({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "p", version: "1" },
  }),
  "server/tools.json": '{"tools":[{"name":"probe","description":"Tries.","inputSchema":{"type":"object"}}]}',
};

boxTest("the servers of a file of agents work within the walls, each for its own agent", async () => {
  const attempts =
    "cat $W/secret.txt; cat $W/../home/.ssh/id; echo x > $W/made.txt; env | grep KEY; echo alive";
  using scene = makeScene({ ...SERVER, "ws/secret.txt": "the-secret", "home/.ssh/id": "the-ssh-key" });
  const b64 = btoa(attempts.replaceAll("$W", scene.ws));
  await using model = scriptedModel([call("mcp_probe_probe", { b64 }), DONE, DONE]);
  const words = join(FIXTURES, "mcp/word_count_server.sh");
  const shown = `--sandbox-show=${scene.at("server")},${join(FIXTURES, "mcp")}`;
  scene.write(
    "ws/team.yaml",
    `llm: { base_url: "${model.url}", model: m, api_key: key-of-the-file-77 }
mcp: { mcpServers: { words: { command: bash, args: ["${words}"] } } }
agents:
  prober:
    base_class: ToolCallingAgent
    mcp: { mcpServers: { probe: { command: sh, args: ["${scene.at("server/server.sh")}"] } } }
    tools: [final_answer_tool]
  counter:
    base_class: ToolCallingAgent
    tools: [final_answer_tool]
`,
  );
  const probed = await tell(scene, null, [
    "Try it",
    "--agents=team.yaml",
    "--agent=prober",
    "--session=s1",
    shown,
  ]);
  assertEquals([probed.code, probed.run.answer], [0, "It is done."], probed.stderr);
  // deno-lint-ignore no-explicit-any
  const result = model.requests[1]!.body.messages.findLast((one: any) => one.role === "tool").content;
  const said = atob(result.match(/[A-Za-z0-9+/]{16,}={0,2}/)?.[0] ?? "");
  assertStringIncludes(said, "alive", result);
  for (const secret of ["the-secret", "the-ssh-key", "key-of-the-file-77"]) {
    assert(!said.includes(secret), said);
  }
  assertEquals([scene.exists("ws/made.txt"), toolsOf(model.requests[0]!)], [
    false,
    ["final_answer_tool", "mcp_probe_probe"],
  ]);
  const counted = await tell(scene, null, [
    "Count",
    "--agents=team.yaml",
    "--agent=counter",
    "--no-session",
    shown,
  ]);
  assertEquals([counted.code, toolsOf(model.requests[2]!)], [0, [
    "final_answer_tool",
    "mcp_words_word_count",
  ]]);
});

boxTest("tools of the user's own work for agents that name them, and in the place of Python", async () => {
  await using model = scriptedModel(() => ({ text: "Done." }));
  const words = { command: "bash", args: [join(FIXTURES, "mcp/word_count_server.sh")] };
  const score = {
    name: "rubric_score",
    path: join(FIXTURES, "scripts/rubric_score.sh"),
    description: "Scores.",
  };
  using scene = makeScene({
    "home/.config/bulkhead/config.json": JSON.stringify({
      mcpServers: { words, gone: { command: "no-such-program" } },
      script_tools: [score],
      agents: { counter: { tools: ["Read"], mcp: ["words"] }, scorer: { tools: ["Read", "rubric_score"] } },
    }),
    "ws/team.yaml": `tools: { RubricScore: { base_class: mine.tools.RubricScore } }
agents: { judge: { base_class: mine.agents.Judge, tools: [RubricScore, NobodyHasThis, final_answer_tool] } }
`,
  });
  const rows: [string[], string[]][] = [
    [["--agent=counter"], ["Read", "mcp_words_word_count"]],
    [["--agent=scorer"], ["Read", "rubric_score"]],
    [["--agents=team.yaml"], ["final_answer_tool", "rubric_score"]],
  ];
  for (const [at, [flags, tools]] of rows.entries()) {
    const { stderr } = await runAgent(scene, model, ["Go", ...flags, "--no-session", "--max-rounds=1"]);
    assertEquals(toolsOf(model.requests[at]!), tools, stderr);
    assertEquals(stderr.includes("no-such-program"), false, stderr);
    const isPython = stderr.includes(
      '"RubricScore" is Python ("mine.tools.RubricScore"), which does not run here',
    );
    assertEquals(isPython, flags[0] === "--agents=team.yaml", stderr);
  }
});

Deno.test("a run names its agent in its events, its document and its trace, and not the usual one", async () => {
  await using model = scriptedModel(() => ({ text: "Done." }));
  const mine = { mine: { description: "Mine", tools: ["Read"] } };
  using scene = makeScene({ "home/.config/bulkhead/config.json": JSON.stringify({ agents: mine }) });
  for (const [words, agent] of [[[], undefined], [["--agent=mine"], "mine"]] as const) {
    const told = await tell(scene, model, ["Go", ...words, `--session=s-${agent}`]);
    assertEquals([told.code, told.run.agent], [0, agent], told.stderr);
    const trace = await readTrace(scene.at(`state/bulkhead/sessions/s-${agent}/trace.jsonl`));
    assertEquals(trace.flatMap((line) => line.t === "run" ? [line.agent] : []), [agent]);
    const { stdout } = await runAgent(scene, model, ["Go", ...words, "--events", "--no-session"]);
    const named = readEvents(stdout).events.flatMap((event) =>
      event.type === "run.start" || event.type === "run.end" ? [event.agent] : []
    );
    assertEquals(named, [agent, agent]);
  }
  const { stderr } = await runAgent(scene, model, ["Go", "--agent=mine", "--no-session"]);
  assertStringIncludes(stderr, "agent mine · test-model");
});
