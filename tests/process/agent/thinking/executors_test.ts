import { assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { startAgent, tell } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const TEAM = {
  team: {
    kind: "plan",
    tools: ["Read"],
    executors: {
      reader: { description: "reads files", tools: ["Read"] },
      // What it does not say itself is of the agent.
      writer: { agent: "scribe", max_iterations: 2 },
    },
  },
  scribe: {
    description: "writes files",
    tools: ["Write", "Glob"],
    prompts: { system: "You are a scribe. {available_tools}" },
  },
};

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const TURNS: readonly ScriptedTurn[] = [
  { text: '{"title": "Copy", "steps": ["[READER] read a.txt", "[WRITER] write b.txt"]}' },
  call("Read", { path: "a.txt" }),
  { text: "It says hello." },
  call("Write", { path: "b.txt", content: "hello\n" }),
  { text: "It is written." },
  { text: "b.txt is a copy." },
];

/** Replies by what was said before, so that a run that goes on gets the same. */
function byHistory({ body }: ScriptedRequest): ScriptedTurn {
  return TURNS[body.messages.filter(({ role }: { role: string }) => role === "assistant").length] ??
    { status: 500, body: {} };
}

const toolsOf = ({ body: { tools = [] } }: ScriptedRequest): string =>
  tools.map(({ function: { name } }: { function: { name: string } }) => name).join(" ");

Deno.test("the executors of a plan have tools and prompts of other agents, also after a kill", async () => {
  using scene = makeScene({
    "ws/a.txt": "hello\n",
    "home/.config/bulkhead/config.json": JSON.stringify({ agents: TEAM }),
  });
  {
    const asked = Promise.withResolvers<void>();
    await using stalling = scriptedModel((request, n) => {
      if (n < 3) return byHistory(request);
      asked.resolve();
      return { events: [], stallAfter: 0 };
    });
    const running = await startAgent(scene, stalling, ["Copy it", "--agent=team", "--session=s1"]);
    await asked.promise;
    running.kill("SIGKILL");
    await running.ended();
    assertEquals(stalling.requests.map(toolsOf), ["", "Read", "Read", "Write Glob"]);
    assertStringIncludes(JSON.stringify(stalling.requests[0]!.body.messages), "WRITER: writes files");
  }
  await using model = scriptedModel(byHistory);
  const { code, run, stderr } = await tell(scene, model, ["--resume=s1"]);
  assertEquals([code, run.answer, run.state], [0, "b.txt is a copy.", "completed"], stderr);
  assertEquals(model.requests.map(toolsOf), ["Write Glob", "Write Glob", ""]);
  assertStringIncludes(model.requests[0]!.body.messages[0].content, "You are a scribe. 1. Write: ");
  assertEquals(Deno.readTextFileSync(scene.at("ws/b.txt")), "hello\n");
});
